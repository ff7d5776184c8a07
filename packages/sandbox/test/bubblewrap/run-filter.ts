import { Buffer } from "node:buffer";
import { constants } from "node:os";
import { operations } from "../../src/bubblewrap/filter-program.ts";
import { verdicts } from "../../src/bubblewrap/seccomp-filter.ts";

export interface Call {
  readonly number: number;
  readonly audit: number;
  readonly args?: readonly (number | bigint)[];
}

/** What the kernel would do with a call: it interprets the program as the kernel does. */
export function runFilter(program: Uint8Array, { number, audit, args = [] }: Call): "allowed" | "ended" | "EPERM" | "ENOSYS" {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, arg] of args.entries()) data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(arg)), 16 + 8 * index);
  const code = Buffer.from(program);
  let word = 0;
  for (let at = 0; at * 8 < code.length; at += 1) {
    const [operation, ifTrue, ifFalse, value] = [code.readUInt16LE(at * 8), code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3), code.readUInt32LE(at * 8 + 4)];
    if (operation === operations.load) word = data.readUInt32LE(value);
    else if (operation === operations.answer) return verdictOf(value);
    else at += holds(operation, word, value) ? ifTrue : ifFalse;
  }
  throw new Error("the program has no end");
}

function holds(operation: number, word: number, value: number): boolean {
  if (operation === operations.ifEqual) return word === value;
  if (operation === operations.ifAtLeast) return word >= value;
  if (operation === operations.ifAnyBit) return (word & value) !== 0;
  throw new Error(`no such operation: ${operation}`);
}

function verdictOf(value: number): ReturnType<typeof runFilter> {
  if (value === verdicts.allow) return "allowed";
  if (value === verdicts.endProcess) return "ended";
  if (value === (0x50000 | constants.errno.EPERM)) return "EPERM";
  if (value === (0x50000 | constants.errno.ENOSYS)) return "ENOSYS";
  throw new Error(`no such answer: ${value}`);
}

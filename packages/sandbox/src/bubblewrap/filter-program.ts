import { Buffer } from "node:buffer";

/** One instruction of the kernel's classic packet filter; jumps count the instructions to skip. */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

/** Operation codes: what is loaded is a 32-bit word of `struct seccomp_data`. */
export const operations = { load: 0x20, ifEqual: 0x15, ifAtLeast: 0x35, ifAnyBit: 0x45, answer: 0x06 } as const;

/** Offsets in `struct seccomp_data`. */
export const numberOffset = 0;
export const architectureOffset = 4;

/** The low half of an argument, on a little-endian machine. The kernel itself looks at no more of a mode, a flag or a pid. */
export function argumentOffset(index: number): number {
  return 16 + 8 * index;
}

export function load(offset: number): Instruction {
  return { code: operations.load, ifTrue: 0, ifFalse: 0, value: offset };
}

export function jump(code: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  return { code, ifTrue, ifFalse, value };
}

export function answer(value: number): Instruction {
  return { code: operations.answer, ifTrue: 0, ifFalse: 0, value };
}

const instructionBytes = 8;

/** As an array of the kernel's `struct sock_filter`. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * instructionBytes);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    const at = index * instructionBytes;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  }
  return bytes;
}

import { answer, architectureOffset, argumentOffset, assemble, jump, load, numberOffset, operations, type Instruction } from "./filter-program.ts";
import { architectures, type SystemCall } from "./system-calls.ts";

/** What the kernel does with a call, or the error it answers with. */
export const verdicts = { allow: 0x7fff0000, endProcess: 0x80000000, notPermitted: 0x00050000 | 1, notThere: 0x00050000 | 38 } as const;

const setIdBits = 0o6000;

/** `O_CREAT` and the bit of `O_TMPFILE` that no other flag has: with neither, the mode of an open means nothing. */
const makesFile = 0o100 | 0o20000000;

/** Process 1 of the namespace. */
const init = 1;

/** What a tracer puts in place of a call that is to be left out: no call at all. */
const noCall = 0xffffffff;

type Rule = readonly Instruction[];

const notPermitted: Rule = [answer(verdicts.notPermitted)];

/** Programs take this for an older kernel, and do without. */
const notThere: Rule = [answer(verdicts.notThere)];

const notOnInit = (pid: number): Rule => [load(argumentOffset(pid)), jump(operations.ifEqual, init, 0, 1), answer(verdicts.notPermitted), answer(verdicts.allow)];

const noSetIds = (mode: number): Rule => [load(argumentOffset(mode)), jump(operations.ifAnyBit, setIdBits, 0, 1), answer(verdicts.notPermitted), answer(verdicts.allow)];

const noSetIdsIfMade = (flags: number, mode: number): Rule => [load(argumentOffset(flags)), jump(operations.ifAnyBit, makesFile, 1, 0), answer(verdicts.allow), ...noSetIds(mode)];

/**
 * What a command may not ask of the kernel although its own rights would do. Numbers are positions of arguments.
 *
 * - Process 1 of the namespace ends everything with the call: nobody may steer it or take its descriptors.
 * - A file with set-user-id or set-group-id bits gives the user's rights to others, after the call, too.
 * - Keyrings know no namespace: the session's holds keys of the host.
 * - A filter sees neither what a ring submits nor what `openat2` points to.
 */
const rules: Readonly<Record<SystemCall, Rule>> = {
  openat: noSetIdsIfMade(2, 3),
  open: noSetIdsIfMade(1, 2),
  openat2: notThere,
  mkdir: noSetIds(1),
  mkdirat: noSetIds(2),
  chmod: noSetIds(1),
  fchmod: noSetIds(1),
  fchmodat: noSetIds(2),
  fchmodat2: noSetIds(2),
  creat: noSetIds(1),
  mknod: noSetIds(1),
  mknodat: noSetIds(2),
  ptrace: notOnInit(1),
  process_vm_readv: notOnInit(0),
  process_vm_writev: notOnInit(0),
  pidfd_getfd: notPermitted,
  add_key: notThere,
  request_key: notThere,
  keyctl: notThere,
  io_uring_setup: notThere,
  io_uring_enter: notThere,
  io_uring_register: notThere,
};

/**
 * The filter of system calls for a command: a program as the kernel takes it. Calls of another architecture, which have
 * other numbers, end the process; all that has no rule is allowed.
 *
 * @param processor Node's name of it. Undefined for one whose numbers are not known here: run nothing.
 */
export function seccompFilter(processor: string = process.arch): Uint8Array | undefined {
  const architecture = architectures.get(processor);
  if (architecture === undefined) return undefined;
  const { audit, foreignFrom, numbers } = architecture;
  const foreign =
    foreignFrom === undefined ? [] : [jump(operations.ifAtLeast, foreignFrom, 0, 3), jump(operations.ifEqual, noCall, 0, 1), answer(verdicts.allow), answer(verdicts.notThere)];
  const judged = Object.entries(rules).flatMap(([name, rule]) => {
    const number = Object.entries(numbers).find(([known]) => known === name)?.[1];
    return number === undefined ? [] : [jump(operations.ifEqual, number, 0, rule.length), ...rule];
  });
  return assemble([
    load(architectureOffset),
    jump(operations.ifEqual, audit, 1, 0),
    answer(verdicts.endProcess),
    load(numberOffset),
    ...foreign,
    ...judged,
    answer(verdicts.allow),
  ]);
}

import { describe, expect, it } from "vitest";
import { seccompFilter } from "../../src/bubblewrap/seccomp-filter.ts";
import { architectures, type SystemCall } from "../../src/bubblewrap/system-calls.ts";
import { runFilter } from "./run-filter.ts";

const creates = 0o101;
const temporary = 0o20000002;

describe.each([...architectures])("the filter of system calls for %s", (processor, { audit, numbers }) => {
  const program = seccompFilter(processor) ?? new Uint8Array();
  const judge = (name: SystemCall, ...args: readonly (number | bigint)[]): string | undefined => {
    const number = numbers[name];
    return number === undefined ? undefined : runFilter(program, { number, audit, args });
  };
  /** Undefined where the architecture does not have the call. */
  const there = (name: SystemCall, verdict: string): string | undefined => (numbers[name] === undefined ? undefined : verdict);

  it("[P52] process 1 is neither traced nor read nor written, others are", () => {
    expect([judge("ptrace", 16, 1), judge("ptrace", 0x4206, 1), judge("ptrace", 16, 0x1_0000_0001n)]).toEqual(["EPERM", "EPERM", "EPERM"]);
    expect([judge("ptrace", 0, 0), judge("ptrace", 16, 2), judge("ptrace", 16, 257)]).toEqual(["allowed", "allowed", "allowed"]);
    for (const name of ["process_vm_readv", "process_vm_writev"] as const) expect([judge(name, 1), judge(name, 5, 1, 1)]).toEqual(["EPERM", "allowed"]);
    expect(judge("pidfd_getfd", 7, 3, 0)).toBe("EPERM");
  });

  it("[P52] no call sets the bits for another user's or group's rights, whatever else its mode says", () => {
    for (const bits of [0o4755, 0o2755, 0o6000, 0o107777, 0xffffffffffffffffn]) {
      for (const name of ["chmod", "fchmod", "creat", "mkdir", "mknod"] as const) expect(judge(name, 3, bits), `${name} ${bits}`).toBe(there(name, "EPERM"));
      for (const name of ["fchmodat", "fchmodat2", "mkdirat", "mknodat"] as const) expect(judge(name, 3, 0, bits), `${name} ${bits}`).toBe("EPERM");
      for (const flags of [creates, temporary, creates | temporary]) {
        expect(judge("open", 0, flags, bits)).toBe(there("open", "EPERM"));
        expect(judge("openat", 0, 0, flags, bits)).toBe("EPERM");
      }
    }
    for (const bits of [0o755, 0o1777, 0o100644, 0]) {
      for (const name of ["chmod", "fchmod", "creat", "mkdir", "mknod"] as const) expect(judge(name, 0o6000, bits)).toBe(there(name, "allowed"));
      for (const name of ["fchmodat", "fchmodat2", "mkdirat", "mknodat"] as const) expect(judge(name, 0o6000, 0o6000, bits)).toBe("allowed");
      expect(judge("openat", 0o6000, 0o6000, creates, bits)).toBe("allowed");
    }
  });

  it("[P52] an open that makes nothing is not judged by a mode that means nothing", () => {
    // The flag for directories is part of O_TMPFILE on one architecture, and of nothing else.
    for (const flags of [0, 1, 0o200000, 0o40000, 0o2000000]) expect([judge("openat", 3, 0, flags, 0o7777), judge("open", 0, flags, 0o7777)]).toEqual(["allowed", there("open", "allowed")]);
  });

  it("[P52] keyrings, rings and openat2 read as of an older kernel", () => {
    for (const name of ["add_key", "request_key", "keyctl", "io_uring_setup", "io_uring_enter", "io_uring_register", "openat2"] as const) expect(judge(name), name).toBe("ENOSYS");
  });

  it("[P52] every other call passes, and calls of another architecture end the process", () => {
    const known = new Set(Object.values(numbers));
    const verdicts = Array.from({ length: 600 }, (_, number) => number).filter((number) => !known.has(number)).map((number) => runFilter(program, { number, audit, args: [1, 0o7777, 0o7777, 0o7777] }));
    expect(new Set(verdicts)).toEqual(new Set(["allowed"]));
    for (const foreign of [0x40000003, 0x40000028, 0xc000003e, 0xc00000b7, 0].filter((other) => other !== audit)) expect(runFilter(program, { number: 0, audit: foreign })).toBe("ended");
  });
});

describe("the filter of system calls", () => {
  it("[P52] the second set of numbers of x64 reads as of an older kernel, and a call that a tracer leaves out passes", () => {
    const program = seccompFilter("x64") ?? new Uint8Array();
    const judge = (number: number): string => runFilter(program, { number, audit: 0xc000003e });
    expect([judge(0x40000000), judge(0x4000005a), judge(0x80000000), judge(0xfffffffe), judge(0x3fffffff), judge(0xffffffff)]).toEqual(["ENOSYS", "ENOSYS", "ENOSYS", "ENOSYS", "allowed", "allowed"]);
  });

  it("[P13] there is none for a processor whose numbers are not known", () => {
    for (const processor of ["ia32", "arm", "riscv64", "s390x", "ppc64", "constructor"]) expect(seccompFilter(processor)).toBeUndefined();
    expect(seccompFilter("x64")?.length).toBeLessThan(4096 * 8);
  });
});

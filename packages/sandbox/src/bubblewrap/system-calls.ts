/** Names of the system calls that the filter looks at. */
export type SystemCall =
  | "ptrace"
  | "process_vm_readv"
  | "process_vm_writev"
  | "pidfd_getfd"
  | "add_key"
  | "request_key"
  | "keyctl"
  | "io_uring_setup"
  | "io_uring_enter"
  | "io_uring_register"
  | "chmod"
  | "fchmod"
  | "fchmodat"
  | "fchmodat2"
  | "creat"
  | "mkdir"
  | "mkdirat"
  | "mknod"
  | "mknodat"
  | "open"
  | "openat"
  | "openat2";

export interface Architecture {
  /** The kernel's `AUDIT_ARCH_…`. */
  readonly audit: number;
  /** Numbers from here on belong to another set of calls on the same architecture. */
  readonly foreignFrom?: number;
  /** Without an entry, the architecture does not have the call. */
  readonly numbers: Readonly<Partial<Record<SystemCall, number>>>;
}

/** Calls since Linux 5.1 have one number on all architectures. */
const common = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, openat2: 437, pidfd_getfd: 438, fchmodat2: 452 } as const;

/** By Node's name for the processor. */
export const architectures: ReadonlyMap<string, Architecture> = new Map([
  [
    "x64",
    {
      audit: 0xc000003e,
      // Those of x32.
      foreignFrom: 0x40000000,
      numbers: {
        ...common,
        open: 2,
        mkdir: 83,
        creat: 85,
        chmod: 90,
        fchmod: 91,
        ptrace: 101,
        mknod: 133,
        add_key: 248,
        request_key: 249,
        keyctl: 250,
        openat: 257,
        mkdirat: 258,
        mknodat: 259,
        fchmodat: 268,
        process_vm_readv: 310,
        process_vm_writev: 311,
      },
    },
  ],
  [
    "arm64",
    {
      audit: 0xc00000b7,
      numbers: { ...common, mknodat: 33, mkdirat: 34, fchmod: 52, fchmodat: 53, openat: 56, ptrace: 117, add_key: 217, request_key: 218, keyctl: 219, process_vm_readv: 270, process_vm_writev: 271 },
    },
  ],
]);

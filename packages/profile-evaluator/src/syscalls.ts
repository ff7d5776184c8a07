import { decide, type CaseRule } from "./evaluate.ts";
import type { Profile } from "./profile.ts";

/** What a program asks of the kernel. Paths as the kernel resolved them. */
export type Syscall =
  | { readonly call: "open-read" | "list" | "stat" | "open-append" | "create" | "mkdir" | "unlink" | "rmdir" | "chmod" | "chown" | "utimes" | "setxattr"; readonly path: string }
  | { readonly call: "rename"; readonly from: string; readonly to: string; readonly replaces?: boolean }
  | { readonly call: "swap" | "link"; readonly from: string; readonly to: string }
  | { readonly call: "symlink"; readonly at: string }
  | { readonly call: "exec"; readonly path: string }
  | { readonly call: "connect"; readonly path: string }
  | { readonly call: "launch" | "send-event" };

type Check = readonly [operation: string, path: string];

/** Whether a profile lets a system call through: every operation that it expands to must be allowed. */
export function allows(profile: Profile, syscall: Syscall, caseRule: CaseRule = "exact"): boolean {
  return checksOf(syscall).every(([operation, path]) => decide(profile, operation, path, caseRule) === "allow");
}

function checksOf(syscall: Syscall): readonly Check[] {
  switch (syscall.call) {
    case "rename":
      // The source's children are not asked about.
      return [["file-write-unlink", syscall.from], ["file-write-create", syscall.to], ...(syscall.replaces ? [["file-write-unlink", syscall.to] as const] : [])];
    case "swap":
      return [syscall.from, syscall.to].flatMap((path): readonly Check[] => [["file-write-unlink", path], ["file-write-create", path]]);
    case "link":
      return [["file-link", syscall.from], ["file-write-create", syscall.to]];
    case "symlink":
      return [["file-write-create", syscall.at]];
    case "exec":
      return [["process-exec", syscall.path]];
    case "connect":
      return [["network-outbound", syscall.path]];
    case "launch":
      return [["lsopen", "/"]];
    case "send-event":
      return [["appleevent-send", "/"]];
    default:
      return [[operationOf[syscall.call], syscall.path]];
  }
}

const operationOf = {
  "open-read": "file-read-data",
  list: "file-read-data",
  stat: "file-read-metadata",
  "open-append": "file-write-data",
  create: "file-write-create",
  mkdir: "file-write-create",
  unlink: "file-write-unlink",
  rmdir: "file-write-unlink",
  chmod: "file-write-mode",
  chown: "file-write-owner",
  utimes: "file-write-times",
  setxattr: "file-write-xattr",
} as const;

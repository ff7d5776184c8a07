import { shorten } from "../paths/shorten.ts";
import { FileSystemError } from "./file-system.ts";

export type FaultKind =
  | "missing"
  | "exists"
  | "not_a_file"
  | "not_text"
  | "too_large"
  | "not_observed"
  | "changed"
  | "read_only"
  | "refused"
  | "cancelled"
  | "failed"
  | "rollback_failed";

/** A file could not be used, said for the model: what was wrong and what to do next. */
export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The fault that an error stands for; anything unknown passes through as it is. */
export function toFault(error: unknown, shown: string, doing: Doing): unknown {
  if (!(error instanceof FileSystemError)) return error;
  const say = sentences[error.code];
  if (say !== undefined) return new FileFault(kinds[error.code] ?? "failed", say(shown, doing));
  return new FileFault("failed", `${shown} could not be ${past[doing]} (${error.code}).${unchanged(doing)} Check the path and try again.`);
}

const past = { read: "read", write: "written", list: "listed", search: "searched" } as const;

type Doing = keyof typeof past;

function unchanged(doing: Doing): string {
  return doing === "write" ? " Nothing was changed." : "";
}

const kinds: Readonly<Record<string, FaultKind>> = { ENOENT: "missing", EEXIST: "exists", EISDIR: "not_a_file", ENOTDIR: "missing", ELOOP: "not_a_file" };

const sentences: Readonly<Record<string, (shown: string, doing: Doing) => string>> = {
  ENOENT: (shown, doing) =>
    doing === "list" || doing === "search" ? `${shown} does not exist. Use list on its parent, or glob, to find it.` : `${shown} does not exist. Use glob to find the file.`,
  EEXIST: (shown) => `${shown} exists already. Nothing was changed; read it and use edit or write to change it.`,
  EISDIR: (shown) => `${shown} is a directory. Use list to see its entries.`,
  ENOTDIR: (shown, doing) =>
    doing === "list" ? `${shown} is not a directory. Use read to see a file.` : `${shown} cannot exist: a parent of it is a file, not a directory. Use list to see what is there.`,
  ELOOP: (shown) => `${shown} leads through a symlink that changed or loops. Use list to see where it points.`,
  EACCES: (shown, doing) => `${shown} cannot be ${past[doing]}: the system denied permission.${unchanged(doing)} Ask the user to change its permissions if this is needed.`,
  EPERM: (shown, doing) => `${shown} cannot be ${past[doing]}: the system does not permit it.${unchanged(doing)} Ask the user if this is needed.`,
  EROFS: (shown) => `${shown} is on a read-only file system. Nothing was changed; write to another place.`,
  ENOSPC: (shown) => `The disk is full, so ${shown} could not be written. Nothing was changed; free some space and try again.`,
  EDQUOT: (shown) => `The disk quota is used up, so ${shown} could not be written. Nothing was changed; free some space and try again.`,
  EFBIG: (shown) => `${shown} would be larger than the file system allows. Nothing was changed; write less.`,
  EIO: (shown, doing) => `The disk reported an error, so ${shown} could not be ${past[doing]}.${unchanged(doing)} Try again, and tell the user if it goes on.`,
  ENAMETOOLONG: (shown) => `The path ${shorten(shown, shownPathCharacters)} is too long for the file system: a name may have 255 bytes. Use a shorter one.`,
  EMFILE: (shown, doing) => `Too many files are open, so ${shown} could not be ${past[doing]}.${unchanged(doing)} Try again.`,
};

const shownPathCharacters = 120;

import { normalize, resolve } from "node:path/posix";
import { shorten } from "./shorten.ts";
import { escapeName } from "./show-path.ts";
import { invalidPath, type PathRefusal } from "./path-refusal.ts";

/** A path as given, made absolute without looking at the disk. */
export interface LexicalPath {
  /** Absolute and normalised, without a trailing slash. */
  readonly path: string;
  /** It was written as a directory: `dir/`, `dir/.`, `..`. */
  readonly namesDirectory: boolean;
}

/** The kernel takes no longer one (PATH_MAX without its end), in bytes. */
const maxPathBytes = 4095;

const shownCharacters = 100;

/** What a path may be before `.` and `..` are taken out, in characters. */
const maxInputCharacters = 65_536;

export interface PathBase {
  readonly workingDirectory: string;
  readonly home: string;
}

/** Expands `~/`, starts at the working directory, and takes `.` and `..` out. */
export function lexicalPath(input: string, base: PathBase): LexicalPath | PathRefusal {
  if (input === "") return invalidPath('the path is empty; give a path, or "." for the working directory');
  if (input.includes("\0")) return invalidPath("NUL in path: no file name can contain a NUL character; give the path without it");
  if (hasLoneSurrogate(input)) return invalidPath("the path is not valid Unicode (half of a surrogate pair); give the file's exact name");
  if (input.length > maxInputCharacters) return tooLong(input);
  const expanded = input === "~" || input.startsWith("~/") ? base.home + input.slice(1) : input;
  const path = stripSlash(normalize(resolve(base.workingDirectory, expanded)));
  if (Buffer.byteLength(path) > maxPathBytes) return tooLong(input);
  return { path, namesDirectory: /(?:^|\/)\.{0,2}$/.test(input) };
}

function tooLong(input: string): PathRefusal {
  return invalidPath(`the path ${escapeName(shorten(input, shownCharacters))} is longer than any path may be (${maxPathBytes} bytes); give a shorter one`);
}

function stripSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Node would write such a name as U+FFFD: another file than the one that was asked for. */
function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

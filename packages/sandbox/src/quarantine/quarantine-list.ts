import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { forDisplay, toBytes } from "../backend/byte-path.ts";
import { quarantineRetentionDays } from "../limits.ts";
import { nameOf } from "../policy/paths.ts";
import { DirectoryHandle, inParent, isErrno } from "./directory-handle.ts";
import { moveEntry, removeEntry } from "./move-entry.ts";
import { readManifest, safeName, type QuarantineRecord } from "./quarantine-call.ts";
import { SetAsideRecords, type SetAside } from "./set-aside.ts";
import { quarantineRoot } from "./state-file.ts";

const msPerDay = 24 * 60 * 60 * 1000;

/** One entry that was moved out of a workspace. */
export interface QuarantinedEntry {
  /** `<session>/<call>/<number>`, or `set-aside/<id>` for what could not be moved: what `restoreQuarantined` and `dropQuarantined` take. */
  readonly id: string;
  /** Where it was, for people to read: control characters are escaped. */
  readonly path: string;
  readonly why: QuarantineRecord["why"];
  /** ISO 8601. */
  readonly at: string;
  /** Where it is now. */
  readonly storedAt: string;
}

export type QuarantineAction = { readonly done: true; readonly path: string } | { readonly done: false; readonly message: string };

/** All that is kept, oldest first. */
export function listQuarantine(stateHome: string): readonly QuarantinedEntry[] {
  const aside = new SetAsideRecords(stateHome).all().map((record): QuarantinedEntry => ({ id: asideId(record), path: forDisplay(record.path), why: "new", at: record.at, storedAt: forDisplay(record.beside) }));
  return [...aside, ...located(stateHome).map(({ id, record, slot }) => ({ id, path: forDisplay(record.path), why: record.why, at: record.at, storedAt: slot }))]
    .toSorted((left, right) => left.at.localeCompare(right.at));
}

/** Puts an entry back where it was. Refuses where something else is by now. */
export function restoreQuarantined(stateHome: string, id: string): QuarantineAction {
  const aside = findAside(stateHome, id);
  if (aside !== undefined) return restoreSetAside(stateHome, aside);
  const found = located(stateHome).find((entry) => entry.id === id);
  if (found === undefined) return unknown(id);
  const { record, slot } = found;
  const shown = forDisplay(record.path);
  const name = nameOf(record.path);
  const from = DirectoryHandle.open(toBytes(slot));
  try {
    const outcome = inParent(record.path, (parent) => {
      if (parent.stats(name) !== undefined) return `${shown} exists. Move it away first, or look at the kept version in ${slot}.`;
      moveEntry(from, name, parent, name);
      return undefined;
    });
    if (outcome !== undefined) return { done: false, message: outcome };
    if (from.stats(name) !== undefined) return { done: false, message: `The directory of ${shown} does not exist any more. Make it first, or take the kept version from ${slot}.` };
  } finally {
    from.close();
  }
  removeTree(slot);
  return { done: true, path: shown };
}

/** Deletes an entry for good. */
export function dropQuarantined(stateHome: string, id: string): QuarantineAction {
  const aside = findAside(stateHome, id);
  if (aside !== undefined) {
    inParent(aside.beside, removeEntry);
    new SetAsideRecords(stateHome).remove(aside.id);
    return { done: true, path: forDisplay(aside.path) };
  }
  const found = located(stateHome).find((entry) => entry.id === id);
  if (found === undefined) return unknown(id);
  removeTree(found.slot);
  return { done: true, path: forDisplay(found.record.path) };
}

/** Deletes what was moved away longer ago than the time to keep it. Best effort: what cannot be deleted keeps no command from running. */
export function pruneQuarantine(stateHome: string, now: number = Date.now()): void {
  const root = quarantineRoot(stateHome);
  for (const session of sessionsIn(root)) {
    for (const call of names(join(root, session))) prune(join(root, session, call), now);
    removeIfEmpty(join(root, session));
  }
}

function prune(directory: string, now: number): void {
  try {
    const newest = readManifest(directory).at(-1)?.at;
    const age = now - (newest === undefined ? lstatSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? now : Date.parse(newest));
    if (age > quarantineRetentionDays * msPerDay) removeTree(directory);
  } catch {
    // Listed until it is dropped, which says why it cannot be.
  }
}

function restoreSetAside(stateHome: string, { id, path, beside }: SetAside): QuarantineAction {
  const shown = forDisplay(path);
  const message = inParent(beside, (parent, name) => {
    if (parent.stats(name) === undefined) return `${forDisplay(beside)} is not there any more.`;
    if (parent.stats(nameOf(path)) !== undefined) return `${shown} exists. Move it away first, or look at the kept version in ${forDisplay(beside)}.`;
    parent.rename(name, parent, nameOf(path));
    return "";
  });
  if (message !== "") return { done: false, message: message ?? `The directory of ${shown} does not exist any more.` };
  new SetAsideRecords(stateHome).remove(id);
  return { done: true, path: shown };
}

function findAside(stateHome: string, id: string): SetAside | undefined {
  return new SetAsideRecords(stateHome).all().find((record) => asideId(record) === id);
}

function asideId({ id }: SetAside): string {
  return `set-aside/${id}`;
}

/** Another process may put something there at this moment. */
function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (!isErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS")) throw error;
  }
}

/** Node's own removal goes by path, which a command can make too long for it. */
function removeTree(directory: string): void {
  inParent(toBytes(directory), removeEntry);
}

interface Located {
  readonly id: string;
  readonly record: QuarantineRecord;
  readonly slot: string;
}

function located(stateHome: string): readonly Located[] {
  const root = quarantineRoot(stateHome);
  return sessionsIn(root).flatMap((session) =>
    names(join(root, session)).flatMap((call) => {
      const directory = join(root, session, call);
      return readManifest(directory)
        .map((record) => ({ id: `${session}/${call}/${record.number}`, record, slot: join(directory, String(record.number)) }))
        .filter(({ slot }) => names(slot).length > 0);
    }),
  );
}

/** Besides them there are files of ours, whose names no session has. */
function sessionsIn(root: string): readonly string[] {
  return names(root).filter((name) => name === safeName(name));
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function unknown(id: string): QuarantineAction {
  return { done: false, message: `Nothing is kept under ${id}. \`fencepost quarantine list\` shows what is.` };
}

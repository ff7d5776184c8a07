import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import { isSameList } from "../backend/same-list.ts";
import { baselineRestMs } from "../limits.ts";
import type { Kept } from "./kept-copies.ts";
import { writeStateFile } from "./state-file.ts";

/** What was protected in a workspace before a command started. */
export interface Baseline {
  readonly known: ReadonlySet<BytePath>;
  /** Protected places that did not exist and must not exist afterwards. */
  readonly missing: readonly BytePath[];
  readonly kept: readonly Kept[];
}

/** A baseline as it stands on disk, named by its content. */
export interface SealedBaseline extends Baseline {
  readonly name: string;
}

/** @param last one that may be the same: then it has its name */
export function sealBaseline(baseline: Baseline, last?: SealedBaseline): SealedBaseline {
  if (last !== undefined && isSame(baseline, last)) return last;
  return { ...baseline, name: createHash("sha256").update(textOf(baseline)).digest("hex").slice(0, 32) };
}

function textOf({ known, missing, kept }: Baseline): string {
  return JSON.stringify({ known: [...known].toSorted(), missing, kept: kept.map(keptToJson) });
}

/** Copies of untouched files are the same objects from call to call. */
function isSame(left: Baseline, right: Baseline): boolean {
  return left.known.size === right.known.size && [...left.known].every((path) => right.known.has(path)) && isSameList(left.missing, right.missing) && isSameList(left.kept, right.kept);
}

/** Baselines on disk, for the sweep after a host that was killed. An unchanged one is written once. */
export class BaselineStore {
  readonly #directory: string;
  readonly #written = new Set<string>();

  constructor(stateHome: string) {
    this.#directory = join(stateHome, "sandbox", "baselines");
  }

  write(sealed: SealedBaseline): void {
    const { name } = sealed;
    if (this.#written.has(name) && this.#touch(name)) return;
    makeDirectory(this.#directory);
    writeStateFile(join(this.#directory, name), textOf(sealed));
    this.#written.add(name);
  }

  /** Undefined: never written, or not readable. */
  load(name: string): Baseline | undefined {
    try {
      return fromJson(JSON.parse(readFileSync(join(this.#directory, name), "utf8")));
    } catch {
      return undefined;
    }
  }

  /**
   * Removes all that no live command refers to and that has not been needed just now.
   *
   * @param used is asked after the look at what is there
   */
  prune(used: () => ReadonlySet<string>): void {
    const there = names(this.#directory);
    const kept = used();
    for (const name of there) {
      if (kept.has(name) || this.#ageMs(name) < baselineRestMs) continue;
      this.#written.delete(name);
      // Another process may prune at this moment.
      rmSync(join(this.#directory, name), { force: true });
    }
  }

  /** How many are on disk. */
  count(): number {
    return names(this.#directory).length;
  }

  /** False: it is not there any more. */
  #touch(name: string): boolean {
    const now = new Date();
    try {
      utimesSync(join(this.#directory, name), now, now);
      return true;
    } catch {
      return false;
    }
  }

  #ageMs(name: string): number {
    const stats = statSync(join(this.#directory, name), { throwIfNoEntry: false });
    return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
  }
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function keptToJson(kept: Kept): unknown {
  return kept.kind === "link" ? kept : { kind: kept.kind, path: kept.path, content: kept.content.toString("base64"), mode: kept.mode, owner: kept.owner };
}

interface BaselineJson {
  readonly known: readonly string[];
  readonly missing: readonly string[];
  readonly kept: readonly (
    | { readonly kind: "link"; readonly path: string; readonly target: string }
    | { readonly kind: "file"; readonly path: string; readonly content: string; readonly mode: number; readonly owner: { readonly uid: number; readonly gid: number } }
  )[];
}

// Written by this module alone, in a directory that no command can write.
function fromJson(value: BaselineJson): Baseline {
  return {
    known: new Set(value.known),
    missing: value.missing,
    kept: value.kept.map((one) => (one.kind === "link" ? one : { ...one, content: Buffer.from(one.content, "base64"), stamp: undefined })),
  };
}

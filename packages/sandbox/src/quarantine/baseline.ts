import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { BytePath } from "../backend/byte-path.ts";
import { makeDirectory } from "../backend/make-directory.ts";
import type { Kept } from "./kept-copies.ts";
import { writeStateFile } from "./state-file.ts";

/** What was protected in a workspace before a command started. */
export interface Baseline {
  readonly known: ReadonlySet<BytePath>;
  /** Protected places that did not exist and must not exist afterwards. */
  readonly missing: readonly BytePath[];
  readonly kept: readonly Kept[];
}

/** Baselines on disk, for the sweep after a host that was killed. Named by content: an unchanged one is written once. */
export class BaselineStore {
  readonly #directory: string;
  readonly #written = new Set<string>();

  constructor(stateHome: string) {
    this.#directory = join(stateHome, "sandbox", "baselines");
  }

  /** The name to load it by. */
  save(baseline: Baseline): string {
    const text = JSON.stringify({ known: [...baseline.known].toSorted(), missing: baseline.missing, kept: baseline.kept.map(keptToJson) });
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    const path = join(this.#directory, name);
    if (this.#written.has(name) && existsSync(path)) return name;
    makeDirectory(this.#directory);
    writeStateFile(path, text);
    this.#written.add(name);
    return name;
  }

  /** Undefined: never written, or not readable. */
  load(name: string): Baseline | undefined {
    try {
      return fromJson(JSON.parse(readFileSync(join(this.#directory, name), "utf8")));
    } catch {
      return undefined;
    }
  }

  /** Removes all that no live command refers to. */
  prune(used: ReadonlySet<string>): void {
    for (const name of names(this.#directory)) {
      if (used.has(name)) continue;
      this.#written.delete(name);
      unlinkSync(join(this.#directory, name));
    }
  }

  /** How many are on disk. */
  count(): number {
    return names(this.#directory).length;
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

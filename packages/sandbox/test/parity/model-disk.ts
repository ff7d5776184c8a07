import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export type Entry = { readonly is: "file" } | { readonly is: "directory" } | { readonly is: "link"; readonly to: string };

/**
 * A file system as a table, with a resolver of its own: so that what the fence makes of a path on the real disk is
 * compared with something else than itself. It can also be case-insensitive, which no disk of a Linux machine is.
 */
export class ModelDisk {
  readonly #entries = new Map<string, Entry>([["/", { is: "directory" }]]);
  readonly #folded = new Map<string, string>();

  /** Adds an entry and the directories above it. */
  add(path: string, entry: Entry): void {
    if (path !== "/" && !this.#entries.has(dirname(path))) this.add(dirname(path), { is: "directory" });
    this.#entries.set(path, entry);
    this.#folded.set(path.toLowerCase(), path);
  }

  at(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The path a kernel would name: links followed, existing names in the case they were made in. */
  resolve(path: string, folds: boolean, linksLeft = 40): string {
    let real = "/";
    const segments = path.split("/").filter((segment) => segment !== "");
    for (const [index, segment] of segments.entries()) {
      const next = real === "/" ? `/${segment}` : `${real}/${segment}`;
      const here = this.#entries.has(next) ? next : ((folds ? this.#folded.get(next.toLowerCase()) : undefined) ?? next);
      const entry = this.#entries.get(here);
      if (entry?.is === "link" && linksLeft > 0) return this.resolve([entry.to, ...segments.slice(index + 1)].join("/"), folds, linksLeft - 1);
      real = here;
    }
    return real;
  }

  /** Makes everything below `root` on the real disk. */
  build(root: string): void {
    for (const [path, entry] of [...this.#entries].filter(([candidate]) => candidate === root || candidate.startsWith(`${root}/`))) {
      if (entry.is === "directory") mkdirSync(path, { recursive: true });
      if (entry.is === "file") writeFileSync(path, `content of ${path}\n`);
    }
    for (const [path, entry] of this.#entries) if (entry.is === "link" && path.startsWith(`${root}/`)) symlinkSync(entry.to, path);
  }
}

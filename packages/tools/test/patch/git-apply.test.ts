import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFilePlace, openFileSession } from "../files/file-session.ts";

const deep = process.env["FENCEPOST_DEEP"] === "1";
const patches = deep ? 300 : 24;

const timeoutMs = deep ? 1_800_000 : 120_000;

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fencepost-judge-"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A small generator of its own, so that a failing round can be run again by its number. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 3) % below;
  };
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-c", "core.autocrlf=false", "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function tree(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes("/.git/"));
  return Object.fromEntries(files.map((entry) => [join(entry.parentPath, entry.name).slice(directory.length + 1), readFileSync(join(entry.parentPath, entry.name), "latin1")] as const).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Three real source files, one of them with `\r\n`, one without a final newline. */
function fill(directory: string, pick: (below: number) => number): void {
  const names = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts")).toSorted();
  mkdirSync(join(directory, "dir"), { recursive: true });
  for (const [index, target] of ["a.ts", "b.ts", "dir/c.ts"].entries()) {
    const text = readFileSync(join(sources, names[pick(names.length)] ?? "index.ts"), "utf8");
    writeFileSync(join(directory, target), index === 1 && pick(2) === 0 ? text.replaceAll("\n", "\r\n") : index === 2 && pick(2) === 0 ? text.trimEnd() : text);
  }
}

function mutate(directory: string, pick: (below: number) => number): void {
  for (const target of ["a.ts", "b.ts", "dir/c.ts"]) {
    const path = join(directory, target);
    const choice = pick(8);
    if (choice === 0) rmSync(path);
    else if (choice === 1) renameSync(path, `${path}.renamed`);
    else if (choice > 2) change(path, pick);
  }
  if (pick(3) === 0) writeFileSync(join(directory, "new.txt"), "new\nfile".repeat(1 + pick(3)));
}

function change(path: string, pick: (below: number) => number): void {
  const lines = readFileSync(path, "utf8").split("\n");
  for (let round = 0; round <= pick(5); round++) {
    const at = pick(lines.length);
    const kind = pick(4);
    if (kind === 0) lines.splice(at, 1 + pick(3));
    else if (kind === 1) lines.splice(at, 0, `  added(${pick(100)});`, "");
    else if (kind === 2) lines[at] = `${lines[at]?.replace("\r", "") ?? ""} // changed ${pick(100)}`;
    else lines[lines.length - 1] = lines.at(-1) === "" ? "no final newline" : "";
  }
  writeFileSync(path, lines.join("\n"));
}

/** Moves the lines of a file away from where the patch says they are. */
function drift(directory: string, pick: (below: number) => number): void {
  const path = join(directory, "a.ts");
  writeFileSync(path, "// moved\n".repeat(1 + pick(30)) + readFileSync(path, "utf8"));
}

it(`git apply and apply_patch give the same files wherever both accept, over ${patches} patches of real sources`, async () => {
  let [both, onlyGit, onlyOurs] = [0, 0, 0];
  for (let round = 0; round < patches; round++) {
    const pick = random(round);
    const base = join(root, `${round}`);
    fill(base, pick);
    git(base, "init", "-q");
    git(base, "add", ".");
    git(base, "commit", "-qm", "base");
    const before = join(root, `${round}-before`);
    cpSync(base, before, { recursive: true });
    mutate(base, pick);
    git(base, "add", "-A");
    const patch = git(base, "diff", "--cached", "-M", `-U${1 + pick(4)}`);
    if (patch === "") continue;
    if (pick(3) === 0) drift(before, pick);

    const place = makeFilePlace();
    try {
      cpSync(before, place.workspace, { recursive: true, filter: (path) => !path.endsWith("/.git") });
      const session = openFileSession(place);
      for (const name of Object.keys(tree(place.workspace))) await session.call("read", { path: name });
      const ours = await session.call("apply_patch", { patch });
      const gits = accepts(before, patch);
      const accepted = ours.status === "succeeded";
      if (accepted && gits) {
        both++;
        expect([round, tree(place.workspace)]).toEqual([round, tree(before)]);
      } else if (gits) onlyGit++;
      else if (accepted) onlyOurs++;
      if (!accepted) expect(ours.error?.details?.["kind"]).toMatch(/^(ambiguous_context|context_not_found)$/);
    } finally {
      place.remove();
      for (const directory of [base, before]) rmSync(directory, { recursive: true, force: true });
    }
  }
  // git trusts line numbers where a text stands twice; we ask for more context. That is all that may differ.
  expect(both).toBeGreaterThan(patches / 2);
  expect(onlyGit + onlyOurs).toBeLessThan(patches / 2);
}, timeoutMs);

function accepts(directory: string, patch: string): boolean {
  try {
    execFileSync("git", ["apply", "-"], { cwd: directory, input: patch, stdio: ["pipe", "pipe", "pipe"] });
    return true;
  } catch {
    return false;
  }
}

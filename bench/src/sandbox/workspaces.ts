import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A repository as most are: some sources, `.git`, one `.env`. */
export function makeSmallWorkspace(root: string): void {
  makeTree(root, { directories: 20, filesEach: 10 });
  for (const directory of [".git/hooks", ".git/objects/ab", ".git/refs/heads", ".vscode"]) mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), "[core]\n\tbare = false\n");
  writeFileSync(join(root, ".env"), "TOKEN=0\n");
}

/** 10,000 directories with ten files each. */
export function makeLargeWorkspace(root: string): void {
  makeTree(root, { directories: 10_000, filesEach: 10 });
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
}

/** 1,000 packages, each with an `.env` of its own. */
export function makeProtectedWorkspace(root: string): void {
  makeTree(root, { directories: 1000, filesEach: 2 });
  for (let index = 0; index < 1000; index += 1) writeFileSync(join(directoryOf(root, index), ".env"), `TOKEN=${index}\n`);
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
}

function makeTree(root: string, { directories, filesEach }: { readonly directories: number; readonly filesEach: number }): void {
  for (let index = 0; index < directories; index += 1) {
    const directory = directoryOf(root, index);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < filesEach; file += 1) writeFileSync(join(directory, `module-${file}.ts`), `export const value = ${file};\n`);
  }
}

function directoryOf(root: string, index: number): string {
  return join(root, "packages", `group-${index % 100}`, `package-${index}`);
}

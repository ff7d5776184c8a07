import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { packageNames, readText, sourceFiles, type SourceFile } from "./sources.ts";

/** What each package may use of ours. An arrow that is not here is a reverse import. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sandbox: [],
  tools: ["contract", "sandbox"],
  core: ["contract", "sandbox", "tools"],
  adapters: ["contract", "sandbox", "tools", "core"],
  // Private, for tests: judges Seatbelt profiles, and must not know who made them.
  "profile-evaluator": [],
};

/** The same for the folders of the sandbox. Each also uses its own files and the package's limits. */
const sandboxFolders: Readonly<Record<string, readonly string[]>> = {
  policy: [],
  backend: ["policy"],
  quarantine: ["policy", "backend"],
  bubblewrap: ["policy", "backend", "quarantine"],
  seatbelt: ["policy", "backend", "quarantine"],
  platform: ["policy", "backend", "bubblewrap", "seatbelt"],
};

/** Where the disk is touched directly: backends and stores. A folder ends in `/`. Everything else goes through `FileSystem`. */
const diskBackends = [
  "packages/sandbox/src/backend/",
  "packages/sandbox/src/bubblewrap/",
  "packages/sandbox/src/platform/",
  "packages/sandbox/src/policy/host/",
  "packages/sandbox/src/quarantine/",
  "packages/sandbox/src/seatbelt/",
  "packages/tools/src/files/local/",
  "packages/tools/src/process/",
  "packages/tools/src/search/disk/",
  "packages/tools/src/search/local/",
  "packages/tools/src/search/worker/",
  "packages/tools/src/spill/local-spill-directory.ts",
  "packages/tools/src/spill/remove-spills.ts",
  "packages/tools/src/tasks/local-",
  "packages/core/src/store/",
  "apps/",
];

/** Every place that starts a process, and what it starts. A new one has to be argued for here. */
const processStarts: Readonly<Record<string, string>> = {
  "packages/sandbox/src/backend/fifos.ts": "mkfifo, by absolute path and with an empty environment: pipes of the kernel, and the gates that commands wait at",
  "packages/sandbox/src/backend/testing/run-launch.ts": "a launch that the backend under test has planned, in the exported suite only",
  "packages/sandbox/src/bubblewrap/host-watchdog.ts": "a shell with a fixed script and an empty environment, which ends sandboxes whose host was killed",
  "packages/sandbox/src/bubblewrap/probe.ts": "the self-check, inside the sandbox it checks",
  "packages/sandbox/src/bubblewrap/run-captured.ts": "bwrap itself: its version and the self-check's command",
  "packages/sandbox/src/seatbelt/self-check.ts": "the self-check, inside the sandbox it checks",
  "packages/tools/src/process/runner.ts": "the runner of a launch that a sandbox backend has planned",
};

/** Every place that loads native code, and what of it is used: an addon could start a process. */
const nativeLoads: Readonly<Record<string, string>> = {
  "packages/tools/src/process/terminal.ts": "the optional pseudo-terminal addon: opens and resizes, never forks",
};

const processModules = /^(?:node:)?(?:child_process|cluster)$|^(?:execa|cross-spawn|zx|tinyexec|node-pty)$|^[^.].*-pty$/;

const files = sourceFiles();

function packageOf({ path }: SourceFile): string {
  return path.split("/", 2).join("/");
}

describe("[T6] arrows point one way", () => {
  it("every package has its place", () => {
    expect(packageNames().toSorted()).toEqual(Object.keys(mayUse).toSorted());
    expect(files.length).toBeGreaterThan(50);
  });

  it("contract ← sandbox/tools ← core ← adapters ← apps: no source imports against it, and none by path into another package", () => {
    const wrong = files.flatMap((file) => file.imports.filter((specifier) => !isAllowed(file, specifier)).map((specifier) => `${file.path} imports ${specifier}`));
    expect(wrong).toEqual([]);
  });

  it("no package.json depends against it", () => {
    for (const [name, allowed] of Object.entries(mayUse)) {
      const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(readText(`packages/${name}/package.json`));
      const ours = Object.keys({ ...manifest["dependencies"], ...manifest["peerDependencies"], ...manifest["optionalDependencies"] }).filter((dependency) => dependency.startsWith("@fencepost/"));
      expect(ours.filter((dependency) => !allowed.includes(dependency.slice("@fencepost/".length))), name).toEqual([]);
    }
  });

  it("in the sandbox policy ← backend ← quarantine ← bubblewrap and seatbelt: the rules and the quarantine know no kernel", () => {
    const base = "packages/sandbox/src/";
    const folderOf = (path: string): string | undefined => new RegExp(`^${base}([^/]+)/`).exec(path)?.[1];
    const wrong = files.filter(({ path }) => folderOf(path) !== undefined).flatMap((file) => {
      const used = file.imports.filter((specifier) => specifier.startsWith(".")).map((specifier) => folderOf(posix.join(posix.dirname(file.path), specifier)));
      const allowed = [folderOf(file.path), ...(sandboxFolders[folderOf(file.path) ?? ""] ?? [])];
      return used.filter((folder) => folder !== undefined && !allowed.includes(folder)).map((folder) => `${file.path} uses ${folder}`);
    });
    expect(wrong).toEqual([]);
  });

  it("apps are imported by nobody", () => {
    expect(files.filter(({ imports }) => imports.some((specifier) => /^fencepost(?:\/|$)|apps\//.test(specifier))).map(({ path }) => path)).toEqual([]);
  });
});

function isAllowed(file: SourceFile, specifier: string): boolean {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file.path), specifier).startsWith(`${packageOf(file)}/`);
  const ours = /^@fencepost\/([^/]+)/.exec(specifier)?.[1];
  if (ours === undefined) return true;
  const [group, name] = packageOf(file).split("/");
  return group === "apps" || ours === name || (mayUse[name ?? ""] ?? []).includes(ours);
}

describe("the disk and processes", () => {
  it("[T9] only backends touch the disk: tools, paths and the toolset know the interface alone", () => {
    const touching = files.filter(({ imports }) => imports.some((specifier) => /^(?:node:)?fs(?:\/|$)/.test(specifier) || specifier === "fdir")).map(({ path }) => path);
    expect(touching.length).toBeGreaterThan(5);
    expect(touching.filter((path) => !diskBackends.some((backend) => path.startsWith(backend)))).toEqual([]);
  });

  it("[P13] only the places named here start a process", () => {
    const starting = files.filter(({ imports }) => imports.some((specifier) => processModules.test(specifier))).map(({ path }) => path);
    expect(starting.filter((path) => !(path in processStarts))).toEqual([]);
    const loading = files.filter(({ text }) => /process\.binding|createRequire|process\.dlopen/.test(text));
    expect(loading.map(({ path }) => path).filter((path) => !(path in nativeLoads))).toEqual([]);
    expect(loading.filter(({ text }) => /\.(?:fork|spawn|exec)\w*\(/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("[P13] the local process backend starts nothing but what a sandbox backend planned", () => {
    const runner = readText("packages/tools/src/process/runner.ts");
    expect([...runner.matchAll(/\b(?:spawn|exec|execFile|fork)\w*\(([^,)]*)/g)].map((match) => match[1])).toEqual(["launch.file"]);
    expect(files.filter(({ text }) => /\bstartRunner\(/.test(text)).map(({ path }) => path).toSorted()).toEqual(["packages/tools/src/process/local-process-backend.ts", "packages/tools/src/process/runner.ts"]);
    expect(readText("packages/tools/src/process/local-process-backend.ts")).toContain("await sandbox.prepare(");
  });

  it("[T9] only resolvePath makes a checked path", () => {
    const making = files.filter(({ text }) => /new CheckedPath\(|as (?:unknown as )?CheckedPath\b/.test(text)).map(({ path }) => path);
    expect(making).toEqual(["packages/tools/src/paths/resolve-path.ts"]);
  });
});

describe("what is absent", () => {
  it("[P48] one file knows the shell's grammar, and only the judging of commands asks it", () => {
    const grammar = files.filter(({ imports }) => imports.includes("unbash")).map(({ path }) => path);
    expect(grammar).toEqual(["packages/tools/src/commands/shell-grammar.ts"]);
    const asking = files.filter(({ imports }) => imports.some((specifier) => specifier.endsWith("/shell-grammar.ts"))).map(({ path }) => path);
    expect(asking.filter((path) => !path.startsWith("packages/tools/src/commands/"))).toEqual([]);
  });

  it("[P47] no decision of the fence or the sandbox sees a command's text", () => {
    const deciding = files.filter(({ path }) => /^packages\/(?:sandbox\/src\/policy|tools\/src\/paths)\//.test(path));
    expect(deciding.filter(({ imports }) => imports.some((specifier) => specifier.includes("/commands/"))).map(({ path }) => path)).toEqual([]);
  });

  it("no default exports of everything, no namespaces", () => {
    expect(files.filter(({ text }) => /^export \* from/m.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

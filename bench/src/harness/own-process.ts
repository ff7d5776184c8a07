import { spawnSync } from "node:child_process";

/** Runs a benchmark's `run` in a process that does nothing else, and gives the number it prints. */
export function figureAlone(benchmark: string, args: readonly string[]): number {
  const program = `import(${JSON.stringify(benchmark)}).then(({ run }) => run(${JSON.stringify(args)}))`;
  const { stdout, status } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (status !== 0) throw new Error(`the process with ${args.join(" ")} exited ${status}`);
  return Number(stdout);
}

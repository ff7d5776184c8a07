import { resultText } from "@fencepost/contract";
import { openFileSession, type FilePlace, type FileSession } from "./file-session.ts";

/**
 * One process that writes, for tests that kill it or run two: `node writer-process.ts <root> <task> <argument> <file>`.
 * Prints what it does next, so that the parent knows that it works and on what.
 */
const [root = "", task = "", argument = "", file = ""] = process.argv.slice(2);
const place: Pick<FilePlace, "workspace" | "home"> = { workspace: `${root}/work`, home: `${root}/home` };

/** Both contents of a round are of one kind: whatever is between them is a mix. */
function contentOf(round: number): string {
  return `${round}\n`.repeat(2000);
}

/** Writes, edits, patches and creates for ever; `argument` says which of them it starts with. */
async function rewrite(): Promise<void> {
  const session = openFileSession(place);
  const works = [
    async (round: number) => {
      await session.call("read", { path: "a.txt" });
      said("write");
      await session.call("write", { path: "a.txt", content: contentOf(round) });
    },
    async () => {
      const text = await session.text("read", { path: "b.txt", limit: 1 });
      const current = text.split("\n")[0]?.split("\t")[1] ?? "";
      said("edit");
      await session.call("edit", { filePath: "b.txt", oldString: `${current}\n`, newString: `${Number(current) + 1}\n`, replaceAll: true });
    },
    async () => {
      await session.call("read", { path: "d.txt" });
      const from = (await session.text("read", { path: "c.txt" })).includes("even") ? "even" : "odd";
      said("patch");
      await session.call("apply_patch", { patch: swapPatch(from, from === "even" ? "odd" : "even") });
    },
    async (round: number) => {
      said("create");
      await session.call("write", { path: `new-${round % 5}/n.txt`, content: contentOf(round) });
    },
  ];
  for (let step = Number(argument); ; step++) await works[step % works.length]?.(step);
}

function said(work: string): void {
  process.stdout.write(`${work}\n`);
}

function swapPatch(from: string, to: string): string {
  return ["c.txt", "d.txt"].map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-${from}\n+${to}\n end\n`).join("");
}

/** Adds one line a round to a shared file, in the name of `argument`, rereading where it is told to. */
async function append(session: FileSession): Promise<void> {
  for (let round = 0; round < 40; ) {
    await session.call("read", { path: file });
    const text = resultText(await session.call("edit", { filePath: file, oldString: "end\n", newString: `${argument} ${round}\nend\n` }));
    if (text.startsWith("Edited")) round++;
    else if (!/changed since you last read it|file changed while edit/.test(text)) throw new Error(text);
  }
}

/** Every write goes into the file that is there, as it does where a file is a mount point. */
const inPlace = { protectedWrites: { mustStayInPlace: () => true, written: () => undefined } };

function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
}

/** Dies with everything written and nothing renamed. */
async function dieBetween(): Promise<void> {
  const { fileSystem } = openFileSession(place).session;
  const session = openFileSession(place, { replace: { fileSystem: { ...fileSystem, rename: die } } });
  await session.call("read", { path: file });
  await session.call("write", { path: file, content: "new\n" });
}

/** Reads a file and writes it once, `argument` lines long; prints the result. */
async function writeOnce(): Promise<void> {
  const session = openFileSession(place);
  await session.call("read", { path: file });
  console.log(await session.text("write", { path: file, content: "new line\n".repeat(Number(argument)) }));
}

switch (task) {
  case "write-once":
    await writeOnce();
    break;
  case "append":
    await append(openFileSession(place));
    break;
  case "append-in-place":
    await append(openFileSession(place, { replace: inPlace }));
    break;
  case "die-between":
    await dieBetween();
    break;
  default:
    await rewrite();
}

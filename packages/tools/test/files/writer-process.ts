import { resultText } from "@fencepost/contract";
import { openFileSession, type FilePlace } from "./file-session.ts";

/**
 * One process that writes, for tests that kill it or run two: `node writer-process.ts <root> <task> <name>`.
 * Prints a line before each round, so that the parent knows that it works.
 */
const [root = "", task = "", name = ""] = process.argv.slice(2);
const place: Pick<FilePlace, "workspace" | "home"> = { workspace: `${root}/work`, home: `${root}/home` };
const session = openFileSession(place);

/** Both contents of a round are of one kind: whatever is between them is a mix. */
function contentOf(round: number): string {
  return `${round}\n`.repeat(2000);
}

async function rewrite(): Promise<void> {
  for (let round = 0; ; round++) {
    console.log(round);
    await session.call("read", { path: "a.txt" });
    await session.call("write", { path: "a.txt", content: contentOf(round) });
    const text = await session.text("read", { path: "b.txt", limit: 1 });
    const current = text.split("\n")[0]?.split("\t")[1] ?? "";
    await session.call("edit", { filePath: "b.txt", oldString: `${current}\n`, newString: `${Number(current) + 1}\n`, replaceAll: true });
    await session.call("read", { path: "c.txt" });
    await session.call("read", { path: "d.txt" });
    await session.call("apply_patch", { patch: swapPatch(round) });
    await session.call("write", { path: `new-${round % 5}/n.txt`, content: contentOf(round) });
  }
}

function swapPatch(round: number): string {
  const [from, to] = round % 2 === 0 ? ["even", "odd"] : ["odd", "even"];
  return ["c.txt", "d.txt"].map((path) => `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-${from}\n+${to}\n end\n`).join("");
}

/** Adds one line a round to a shared file, rereading where it is told to. */
async function append(): Promise<void> {
  for (let round = 0; round < 40; ) {
    await session.call("read", { path: "shared.txt" });
    const text = resultText(await session.call("edit", { filePath: "shared.txt", oldString: "end\n", newString: `${name} ${round}\nend\n` }));
    if (text.startsWith("Edited")) round++;
    else if (!/changed since you last read it|file changed while edit/.test(text)) throw new Error(text);
    else console.log("again");
  }
}

await (task === "append" ? append() : rewrite());

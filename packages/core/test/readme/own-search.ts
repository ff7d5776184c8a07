import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { openSession } from "@fencepost/core";
import { createLocalSearchBackend, type SearchBackend } from "@fencepost/tools";

/** Another search, with one line for each grep: how many files it looked into, and whether to the end. */
function loggedSearch(inner: SearchBackend, log: (line: string) => void): SearchBackend {
  return {
    async grep(request, events) {
      const outcome = await inner.grep(request, events);
      log(`${outcome.filesSearched} file, ${outcome.stopped ?? "to the end"}`);
      return outcome;
    },
    glob: (request, events) => inner.glob(request, events),
    close: () => inner.close(),
  };
}

const workspace = mkdtempSync(join(homedir(), "project-"));
writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");

const search = loggedSearch(createLocalSearchBackend(), (line) => console.log(line));
const session = await openSession({ workspace, search });

console.log(resultText(await session.call({ callId: "1", toolId: "grep", input: { pattern: "two" } })));
// 1 file, to the end
// a.txt
// 2:two

// Whoever made it closes it: other sessions may use it as well.
await session.close();
await search.close();

import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { runDemo } from "../demo/run-demo.ts";
import { createScratch } from "../demo/scratch.ts";
import { visibleLine } from "../view/visible.ts";

/** How long the demo rests between steps where someone watches, in milliseconds. */
const watchedTempoMs = 180;

/** `fencepost demo`: offline, on a scratch copy that is taken away again. */
export async function demo(_given: Arguments, terminal: Terminal): Promise<number> {
  const scratch = createScratch();
  const { style } = terminal.out;
  try {
    const { sandboxed, surprises } = await runDemo(scratch, terminal, terminal.watched ? watchedTempoMs : 0);
    if (terminal.interruption.aborted) return exitCodes.interrupted;
    for (const surprise of surprises) terminal.stderr.write(`fencepost: ${visibleLine(surprise)}\n`);
    if (surprises.length > 0) return exitCodes.failed;
    if (!sandboxed) return exitCodes.sandboxUnavailable;
    terminal.stdout.write(`\n${style.green("Done.")} The scratch copy is removed. Next: ${style.bold("node apps/fencepost/bin/fencepost.mjs --help")}\n`);
    return exitCodes.succeeded;
  } finally {
    scratch.remove();
  }
}

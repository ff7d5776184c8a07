import type { ProgressSink } from "@fencepost/contract";
import type { SpillFile, SpillWriter } from "../../spill/spill-directory.ts";
import { spillFooter } from "../../spill/spill-footer.ts";
import { createEscapeStripper } from "./escape-stripper.ts";
import { createHeadTail, headBytes, tailBytes } from "./head-tail.ts";
import { createProgressRelay } from "./progress-relay.ts";
import { createRedactor, type Secrets } from "./redactor.ts";
import { createTextRepair } from "./text-repair.ts";

/** The output of one command: bounded in memory, the rest streamed to a file. */
export interface OutputCapture {
  readonly totalBytes: number;
  push(chunk: Uint8Array): void;
  finish(): Promise<CapturedOutput>;
  /** As `finish`, and what was spilled is removed. */
  discard(): Promise<CapturedOutput>;
}

export interface CapturedOutput {
  /** For the model: the whole, or its head, a line about what was left out, and its tail. Empty for no output. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  readonly spill?: SpillFile;
}

export interface OutputCaptureOptions {
  /** Called when the output grows over what memory holds. */
  readonly openSpill?: () => SpillWriter;
  readonly progress?: ProgressSink;
  readonly secrets?: Secrets;
  /** Gets the text as it is counted. The chunk is only valid during the call. */
  readonly onText?: (text: Uint8Array) => void;
}

/** Escape sequences out, text repaired, secrets redacted; only then is anything counted, kept, spilled or shown. */
export function createOutputCapture(options: OutputCaptureOptions): OutputCapture {
  const stripper = createEscapeStripper();
  const repair = createTextRepair();
  const redactor = createRedactor(options.secrets ?? {});
  const kept = createHeadTail();
  const relay = options.progress && createProgressRelay(options.progress);
  let spill: SpillWriter | undefined;

  function accept(text: Uint8Array): void {
    if (text.length === 0) return;
    if (!spill && options.openSpill && kept.totalBytes + text.length > headBytes + tailBytes) {
      spill = options.openSpill();
      spill.write(kept.kept());
    }
    spill?.write(text);
    kept.push(text);
    relay?.(text);
    options.onText?.(text);
  }

  function flush(): void {
    accept(redactor.push(repair.push(stripper.end())));
    accept(redactor.push(repair.end()));
    accept(redactor.end());
  }

  function captured(file: SpillFile | undefined): CapturedOutput {
    const { head, omittedBytes, tail } = kept.cut();
    const text = omittedBytes === 0 ? head : `${withLineBreak(head)}${spillFooter(omittedBytes, file)}\n${tail}`;
    return { text, totalBytes: kept.totalBytes, omittedBytes, ...(file && { spill: file }) };
  }

  return {
    get totalBytes() {
      return kept.totalBytes;
    },
    push: (chunk) => accept(redactor.push(repair.push(stripper.push(chunk)))),
    async finish() {
      flush();
      return captured(await spill?.finish());
    },
    async discard() {
      flush();
      await spill?.discard();
      return captured(undefined);
    },
  };
}

function withLineBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

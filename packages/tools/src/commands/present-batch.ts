import { resultTextBytes, footerReserveBytes } from "@fencepost/contract";
import { characterBoundary } from "../spill/character-boundary.ts";

export interface BatchItem {
  readonly command: string;
  /** `completed`: exit 0. `rejected`: refused before it started. `skipped`: an earlier item did not complete. */
  readonly state: "completed" | "failed" | "rejected" | "skipped";
  readonly text: string;
}

/** Counts, then each item under a border of its own; what no longer fits is cut in the middle of each item. */
export function batchText(items: readonly BatchItem[]): string {
  const counts = (["completed", "failed", "rejected", "skipped"] as const).flatMap((state) => {
    const count = items.filter((item) => item.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const share = Math.floor((resultTextBytes - footerReserveBytes) / items.length) - borderBytes;
  const sections = items.map((item, index) => `${border(item, index, items.length)}\n${shorten(item.text, share)}`);
  return [`${items.length} commands: ${counts.join(", ")}`, ...sections].join("\n\n");
}

/** The most a border takes, in bytes. */
const borderBytes = 260;

const maxShownCommandBytes = 160;

function border(item: BatchItem, index: number, count: number): string {
  const command = shorten(item.command.replaceAll(/\s*\n\s*/g, " ; "), maxShownCommandBytes);
  return `===== ${index + 1}/${count} ${item.state}: ${command.replaceAll("\n", " ")} =====`;
}

/** Head and tail of a text, a quarter and three quarters of the room. */
function shorten(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const room = maxBytes - 60;
  const head = characterBoundary(bytes, Math.floor(room / 4));
  const tail = characterBoundary(bytes, bytes.length - Math.floor((room * 3) / 4) + 3);
  return `${bytes.toString("utf8", 0, head)}\n... (${tail - head} bytes not shown) ...\n${bytes.toString("utf8", tail)}`;
}

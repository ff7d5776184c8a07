import type { SessionContext } from "../context/session-context.ts";
import { maxSpillFileBytes, type SpillFile, type SpillWriter } from "../spill/spill-directory.ts";

/** Held in memory before a file is made: most searches need none. */
const heldBytes = 256 * 1024;

/** The full list of a search's results, in memory until it is long, then in the call's spill file. */
export class ResultList {
  readonly #open: () => SpillWriter | undefined;
  #held: Uint8Array[] = [];
  #bytes = 0;
  #writer: SpillWriter | undefined;

  constructor(open: () => SpillWriter | undefined) {
    this.#open = open;
  }

  /** True: the spill keeps no more, so more need not be gathered. */
  get full(): boolean {
    return this.#bytes >= maxSpillFileBytes;
  }

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#writer) return this.#writer.write(bytes);
    this.#held.push(bytes.slice());
    if (this.#bytes > heldBytes) this.#spill();
  }

  /** Undefined where there is no spill, or it could not be written. */
  async save(): Promise<SpillFile | undefined> {
    this.#spill();
    return this.#writer?.finish();
  }

  /** Nothing was left out of the result: no file is needed. */
  async discard(): Promise<void> {
    this.#held = [];
    await this.#writer?.discard();
  }

  #spill(): void {
    this.#writer ??= this.#open();
    for (const bytes of this.#held) this.#writer?.write(bytes);
    this.#held = [];
  }
}

export interface Listed<Outcome> {
  readonly outcome: Outcome;
  /** Where the full list is, if the result needs one and it could be written. */
  readonly saved: SpillFile | undefined;
}

/** Runs a search that fills the call's list. It is kept where the result needs it, and deleted however else the search ends. */
export async function withList<Outcome>(
  session: Pick<SessionContext, "spill">,
  callId: string,
  search: (list: ResultList) => Promise<Outcome>,
  needsList: (outcome: Outcome) => boolean,
): Promise<Listed<Outcome>> {
  const list = new ResultList(() => session.spill?.open(callId));
  try {
    const outcome = await search(list);
    if (needsList(outcome)) return { outcome, saved: await list.save() };
    await list.discard();
    return { outcome, saved: undefined };
  } catch (error) {
    await list.discard();
    throw error;
  }
}

/** `; full list saved to …`, or nothing where it was not. */
export function savedNote(file: SpillFile | undefined): string {
  if (!file) return "";
  return `; full list saved to ${file.path}${file.capped ? " (only the first 64 MB were kept)" : ""}`;
}

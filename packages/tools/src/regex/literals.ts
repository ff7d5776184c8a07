import type { Hir } from "./hir.ts";
import { commonness } from "./unicode/commonness.ts";

/** Bytes that every match contains. */
export interface RequiredLiteral {
  readonly bytes: Uint8Array;
  /** The pattern is this text and nothing else: where it stands, there is a match. */
  readonly whole: boolean;
}

/** The literal of a pattern that is the rarest in text: the one to look for first. */
export function requiredLiteral(hir: Hir): RequiredLiteral | undefined {
  const parts = hir.kind === "concat" ? hir.parts : [hir];
  const runs = requiredRuns(parts);
  const best = runs.toSorted((left, right) => rarity(left) - rarity(right))[0];
  if (!best) return undefined;
  const whole = runs.length === 1 && parts.every((part) => literalBytes(part) !== undefined);
  return { bytes: whole ? best : rarestPart(best), whole };
}

function requiredRuns(parts: readonly Hir[]): Uint8Array[] {
  const runs: Uint8Array[] = [];
  let run: number[] = [];
  const end = (): void => {
    if (run.length > 0) runs.push(Uint8Array.from(run));
    run = [];
  };
  for (const part of parts) {
    const bytes = literalBytes(part);
    if (bytes) {
      run.push(...bytes);
      continue;
    }
    if (part.kind === "look") continue;
    end();
    if (part.kind === "concat") runs.push(...requiredRuns(part.parts));
    if (part.kind === "repeat" && part.min > 0) runs.push(...requiredRuns(part.part.kind === "concat" ? part.part.parts : [part.part]));
  }
  end();
  return runs;
}

const encoder = new TextEncoder();

function literalBytes(hir: Hir): Uint8Array | undefined {
  if (hir.kind !== "class" && hir.kind !== "bytes") return undefined;
  const [lo, hi] = hir.ranges;
  if (hir.ranges.length !== 2 || lo === undefined || lo !== hi || (lo >= 0xd800 && lo <= 0xdfff)) return undefined;
  return hir.kind === "bytes" ? Uint8Array.of(lo) : encoder.encode(String.fromCodePoint(lo));
}

/** The lower, the seldomer: the commonest bytes weigh least, and each further byte makes it rarer. */
function rarity(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + commonness(byte), 0);
}

/** The search looks for the first byte first: a long literal begins at its rarest byte, if enough follows. */
function rarestPart(bytes: Uint8Array): Uint8Array {
  const last = Math.max(0, bytes.length - 3);
  let best = 0;
  for (let index = 1; index <= last; index += 1) if (commonness(bytes[index]!) < commonness(bytes[best]!)) best = index;
  return bytes.subarray(best);
}

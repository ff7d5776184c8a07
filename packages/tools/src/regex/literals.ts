import type { Hir } from "./hir.ts";
import { commonness } from "./unicode/commonness.ts";

/** Bytes that every match contains. */
export interface RequiredLiteral {
  readonly bytes: Uint8Array;
  /** The part of them to look for, and where it begins in them. */
  readonly needle: Uint8Array;
  readonly needleAt: number;
  /** The pattern is this text and nothing else: where it stands, there is a match. */
  readonly whole: boolean;
  /** How often it stands in text, a byte: a rough guess. */
  readonly rate: number;
}

/** `Buffer.indexOf` looks for longer ones with tables instead of the processor's own search, at a tenth of its speed. */
const longestNeedleBytes = 7;

/** Of a longer literal so much is compared around the needle, unless the pattern is the literal. */
export const longestComparedBytes = 64;

/** A needle keeps at least so many bytes, though a later one may be rarer than its first. */
const leastNeedleBytes = 3;

/** The literal of a pattern that is the rarest in text: the one to look for first. */
export function requiredLiteral(hir: Hir): RequiredLiteral | undefined {
  const parts = hir.kind === "concat" ? hir.parts : [hir];
  const runs = requiredRuns(parts);
  const best = runs.toSorted((left, right) => rarity(left) - rarity(right))[0];
  if (!best) return undefined;
  const whole = runs.length === 1 && parts.every((part) => literalBytes(part) !== undefined);
  const rarestAt = rarestPlace(best);
  const begin = whole ? 0 : Math.max(0, Math.min(rarestAt - longestComparedBytes / 2, best.length - longestComparedBytes));
  const bytes = whole ? best : best.subarray(begin, begin + longestComparedBytes);
  const needleAt = rarestAt - begin;
  return { bytes, needle: bytes.subarray(needleAt, needleAt + longestNeedleBytes), needleAt, whole, rate: 2 ** rarity(bytes) };
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
  return hir.kind === "bytes" || lo < 0x80 ? Uint8Array.of(lo) : encoder.encode(String.fromCodePoint(lo));
}

/** The lower, the seldomer: the commonest bytes weigh least, and each further byte makes it rarer. */
function rarity(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + commonness(byte), 0);
}

/** The search looks for a needle's first byte first: where the rarest byte is that enough others follow. */
function rarestPlace(bytes: Uint8Array): number {
  const last = Math.max(0, bytes.length - leastNeedleBytes);
  let best = 0;
  for (let index = 1; index <= last; index += 1) if (commonness(bytes[index]!) < commonness(bytes[best]!)) best = index;
  return best;
}

import { Buffer } from "node:buffer";

/** Name → value. Values reach child processes; in what comes back they are replaced by their name. */
export type Secrets = Readonly<Record<string, string>>;

/** A shorter value would be found in ordinary text everywhere, and redacting it would tell more than it hides. */
const minSecretBytes = 4;

/** Replaces the values of secrets in a byte stream, also where they are split over chunks. */
export interface StreamRedactor {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

interface Needle {
  readonly value: Buffer;
  readonly mask: Buffer;
}

/** Why these secrets cannot be kept, or undefined. */
export function secretsFault(secrets: Secrets): string | undefined {
  const short = Object.entries(secrets).find(([, value]) => Buffer.byteLength(value) < minSecretBytes);
  return short && `secret ${short[0]} is shorter than ${minSecretBytes} bytes: it could not be redacted`;
}

/** The text without the values of the secrets. */
export function redactText(text: string, secrets: Secrets): string {
  return needlesOf(secrets).reduce((redacted, { value, mask }) => redacted.replaceAll(value.toString(), mask.toString()), text);
}

export function createRedactor(secrets: Secrets): StreamRedactor {
  const needles = needlesOf(secrets);
  let carried = Buffer.alloc(0);

  /** Bytes at the end that a secret may still start with. */
  function openEnd(bytes: Buffer): number {
    return Math.max(0, ...needles.map((needle) => overlap(bytes, needle.value)));
  }

  return {
    push(chunk) {
      if (needles.length === 0) return chunk;
      const whole = replaceAll(Buffer.concat([carried, chunk]), needles);
      const held = openEnd(whole);
      carried = Buffer.from(whole.subarray(whole.length - held));
      return whole.subarray(0, whole.length - held);
    },
    end() {
      const rest = carried;
      carried = Buffer.alloc(0);
      return rest;
    },
  };
}

/** Longest first: a secret that contains another is replaced as a whole. */
function needlesOf(secrets: Secrets): readonly Needle[] {
  return Object.entries(secrets)
    .map(([name, value]) => ({ value: Buffer.from(value), mask: Buffer.from(`[redacted:${name}]`) }))
    .filter((needle) => needle.value.length >= minSecretBytes)
    .toSorted((left, right) => right.value.length - left.value.length);
}

function replaceAll(bytes: Buffer, needles: readonly Needle[]): Buffer {
  return needles.reduce((current, needle) => replaceOne(current, needle), bytes);
}

function replaceOne(bytes: Buffer, { value, mask }: Needle): Buffer {
  let found = bytes.indexOf(value);
  if (found === -1) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  while (found !== -1) {
    parts.push(bytes.subarray(from, found), mask);
    from = found + value.length;
    found = bytes.indexOf(value, from);
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** The length of the longest end of `bytes` that `value` starts with, the whole of it excluded. */
function overlap(bytes: Buffer, value: Buffer): number {
  for (let length = Math.min(value.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(value.subarray(0, length))) return length;
  }
  return 0;
}

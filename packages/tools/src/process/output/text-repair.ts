import { isUtf8 } from "node:buffer";

/** Turns any bytes into text that a model, `read` and `grep` can take. */
export interface TextRepair {
  push(chunk: Uint8Array): Uint8Array;
  /** A character that never got its last bytes. */
  end(): Uint8Array;
}

const none = new Uint8Array(0);

/** Shown for a NUL, which `read` refuses, grep takes for a binary file and databases do not store. */
const nulSymbol = "\u2400";

/**
 * Invalid UTF-8 becomes U+FFFD; a character split over chunks stays whole, however many chunks it takes; a NUL becomes
 * its visible symbol.
 */
export function createTextRepair(): TextRepair {
  let carried: Uint8Array = none;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  function repair(bytes: Uint8Array): Uint8Array {
    const valid = isUtf8(bytes);
    if (valid && !bytes.includes(0)) return bytes;
    const text = valid ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8") : decoder.decode(bytes);
    return Buffer.from(text.replaceAll("\0", nulSymbol), "utf8");
  }

  return {
    push(chunk) {
      const whole = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end = completeLength(whole);
      carried = end === whole.length ? none : Uint8Array.from(whole.subarray(end));
      return repair(whole.subarray(0, end));
    },
    end() {
      const rest = carried;
      carried = none;
      return repair(rest);
    },
  };
}

/** How many bytes are left when a character that is still incomplete at the end is set aside. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf5) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

const bytesAUnit = 2;

/** The bytes of a file in UTF-16 as text, piece by piece. What is no character becomes U+FFFD. */
export class Utf16Text {
  readonly #bigEndian: boolean;
  readonly #decoder = new TextDecoder("utf-16le", { ignoreBOM: true });
  /** Half of a unit, where a piece ended in it. */
  #half: number | undefined;

  /** Undefined where the file does not begin with the byte order mark of UTF-16. */
  static of(start: Uint8Array): Utf16Text | undefined {
    if (start[0] === 0xff && start[1] === 0xfe) return new Utf16Text(false);
    return start[0] === 0xfe && start[1] === 0xff ? new Utf16Text(true) : undefined;
  }

  private constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  next(piece: Uint8Array): string {
    const bytes = this.#half === undefined ? Buffer.from(piece) : Buffer.concat([Uint8Array.of(this.#half), piece]);
    const even = bytes.length - (bytes.length % bytesAUnit);
    this.#half = bytes[even];
    const units = bytes.subarray(0, even);
    return this.#decoder.decode(this.#bigEndian ? units.swap16() : units, { stream: true });
  }

  /** What stands for the characters that the file's end cut off. */
  end(): string {
    return this.#decoder.decode() + (this.#half === undefined ? "" : "\uFFFD");
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { placeOf } from "./place-of.ts";
import { Utf16Text } from "./utf16-text.ts";

/** One buffer serves all files of a thread. */
const usualBytes = 256 * 1024;

/** The longest line that is searched, and the largest file for a pattern that spans lines. */
const maxLineBytes = 64 * 1024 * 1024;

/** What is read once more, or is to be decoded, is read in pieces of so many bytes. */
const pieceBytes = 64 * 1024;

/** Behind the text, so that no look-up runs out of the buffer. */
const paddingBytes = 64;

/** A byte of UTF-16 never becomes so many of UTF-8, whatever was left over before it. */
const bytesADecodedByte = 3;

const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16MarkBytes = 2;

const nothing = Buffer.alloc(0);

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads files in pieces of whole lines, synchronously: that is two to ten times as fast as not. A byte order mark is no
 * part of the text, and UTF-16 behind one is read as UTF-8.
 */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(usualBytes + paddingBytes);
  /** How much of the buffer is used: as little as the longest line lets, which keeps the text near the processor. */
  #size = usualBytes;
  #descriptor = -1;
  #path = "";
  #shortReadsEnd = false;
  #filled = 0;
  #text = nothing;
  #utf16: Utf16Text | undefined;
  /** How much was read of the file. */
  #position = 0;
  #markBytes = 0;
  #begun = false;
  #ended = false;
  #dropped = 0;
  #piece = nothing;

  /** The bytes read and not yet dropped. */
  get text(): Buffer {
    return this.#text;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** `text` is all that the file holds. */
  get whole(): boolean {
    return this.#ended && this.#dropped === 0;
  }

  /** How many bytes of text were dropped: where in the file's text `text` begins. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The text is not what lies in the file: what was dropped cannot be read again. */
  get decodes(): boolean {
    return this.#utf16 !== undefined;
  }

  /** As the file system has it now, in bytes. */
  get fileBytes(): number {
    return fstatSync(this.#descriptor).size;
  }

  /**
   * @param options `shortReadsEnd`: whether a read that gives less than was asked for has reached the end
   * @throws an errno error. A link that has taken the file's place is not followed, a FIFO does not block.
   */
  open(path: string, { shortReadsEnd }: { readonly shortReadsEnd: boolean }): void {
    this.close();
    this.#descriptor = openSync(path, flags);
    this.#path = path;
    this.#shortReadsEnd = shortReadsEnd;
    this.#size = usualBytes;
    this.#filled = 0;
    this.#utf16 = undefined;
    this.#position = 0;
    this.#markBytes = 0;
    this.#begun = false;
    this.#ended = false;
    this.#dropped = 0;
  }

  /** Reads on until the buffer is full or the file ends. Returns how many bytes of the file came. */
  fill(): number {
    const before = this.#position;
    if (this.#utf16) this.#fillDecoded(this.#utf16);
    else this.#fillRaw();
    if (!this.#begun) this.#begin();
    this.#text = this.#buffer.subarray(0, this.#filled);
    return this.#position - before;
  }

  #fillRaw(): void {
    while (!this.#ended && this.#filled < this.#size) this.#filled += this.#read(this.#buffer, this.#filled, this.#size - this.#filled);
  }

  #fillDecoded(utf16: Utf16Text): void {
    this.#needPiece();
    for (;;) {
      const bytes = Math.min(pieceBytes, Math.floor((this.#size - this.#filled) / bytesADecodedByte) - 1);
      if (this.#ended || bytes <= 0) return;
      const count = this.#read(this.#piece, 0, bytes);
      this.#filled += this.#buffer.write(utf16.next(this.#piece.subarray(0, count)), this.#filled, "utf8");
      if (this.#ended) this.#filled += this.#buffer.write(utf16.end(), this.#filled, "utf8");
    }
  }

  #read(into: Buffer, at: number, bytes: number): number {
    const count = readSync(this.#descriptor, into, at, bytes, this.#utf16 ? this.#position : null);
    this.#position += count;
    this.#ended = count === 0 || (count < bytes && this.#shortReadsEnd);
    return count;
  }

  /** Looks for a byte order mark. */
  #begin(): void {
    this.#begun = true;
    const buffer = this.#buffer;
    if (this.#filled >= utf8Mark.length && buffer[0] === utf8Mark[0] && buffer[1] === utf8Mark[1] && buffer[2] === utf8Mark[2]) {
      buffer.copyWithin(0, utf8Mark.length, this.#filled);
      this.#filled -= utf8Mark.length;
      this.#markBytes = utf8Mark.length;
    }
    if (this.#filled < utf16MarkBytes || buffer[0]! < 0xfe) return;
    this.#utf16 = Utf16Text.of(buffer);
    if (!this.#utf16) return;
    this.#filled = 0;
    this.#position = utf16MarkBytes;
    this.#ended = false;
    this.#fillDecoded(this.#utf16);
  }

  /** Drops the first bytes; what is left moves to the front. */
  drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#filled);
    this.#filled -= count;
    this.#text = this.#buffer.subarray(0, this.#filled);
    this.#dropped += count;
  }

  /** Hands over once more what was dropped, from one place of the text to another, in pieces. */
  readAgain(from: number, to: number, piece: (bytes: Uint8Array) => void): void {
    this.#needPiece();
    for (let at = from; at < to; ) {
      const count = readSync(this.#descriptor, this.#piece, 0, Math.min(pieceBytes, to - at), at + this.#markBytes);
      // The file has become shorter meanwhile.
      if (count === 0) return;
      piece(this.#piece.subarray(0, count));
      at += count;
    }
  }

  /**
   * Makes room for a longer line. False where it would be longer than any line may be. The larger buffer is the largest
   * at once: what it does not use is no memory yet, while every size between would be garbage.
   */
  grow(): boolean {
    if (this.#size >= maxLineBytes) return false;
    this.#size = Math.min(maxLineBytes, this.#size * 2);
    if (this.#buffer.length > usualBytes + paddingBytes) return true;
    const largest = Buffer.allocUnsafeSlow(maxLineBytes + paddingBytes);
    this.#buffer.copy(largest, 0, 0, this.#filled);
    this.#buffer = largest;
    return true;
  }

  /**
   * Whether what is open still lies where it was opened: no directory on the way was swapped for a link meanwhile.
   *
   * @throws an errno error where nothing can be known
   */
  isWhereItWas(): boolean {
    return process.platform !== "linux" || placeOf(this.#descriptor) === this.#path;
  }

  close(): void {
    if (this.#descriptor !== -1) closeSync(this.#descriptor);
    this.#descriptor = -1;
    this.#text = nothing;
  }

  /** Between two searches the larger buffer is let go. */
  rest(): void {
    if (this.#buffer.length > usualBytes + paddingBytes) this.#buffer = Buffer.allocUnsafeSlow(usualBytes + paddingBytes);
  }

  #needPiece(): void {
    if (this.#piece.length === 0) this.#piece = Buffer.allocUnsafeSlow(pieceBytes);
  }
}

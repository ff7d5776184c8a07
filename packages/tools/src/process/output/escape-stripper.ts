/** Removes terminal escape sequences from a byte stream. What `push` returns is only valid until the next call. */
export interface EscapeStripper {
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back because it could still have become a sequence. */
  end(): Uint8Array;
}

/**
 * A string sequence (title, link, image) longer than this is not taken for one: an opener that is never closed must not
 * hide the rest of the output.
 */
const maxStringSequenceBytes = 16_384;

/** A control sequence is parameters and one letter; longer than this it is text. */
const maxControlSequenceBytes = 256;

const esc = 0x1b;
const bel = 0x07;
const can = 0x18;
const sub = 0x1a;
const lineFeed = 0x0a;
const none = new Uint8Array(0);

type State = "text" | "escape" | "intermediate" | "control" | "string" | "stringEscape";

/**
 * Strips CSI, OSC, DCS, APC, PM, SOS, character set and two-letter sequences, also where they are split over chunks. A
 * broken sequence loses its opener and keeps its text.
 */
export function createEscapeStripper(): EscapeStripper {
  let state: State = "text";
  /** Bytes of the sequence so far, its opener left out: the text it becomes if it turns out to be none. */
  let held: number[] = [];
  let isOsc = false;
  let out: Uint8Array = none;
  let length = 0;

  function emit(byte: number): void {
    out[length++] = byte;
  }

  function release(): void {
    for (const byte of held) emit(byte);
    drop();
  }

  function drop(): void {
    held = [];
    state = "text";
  }

  function open(): void {
    held = [];
    state = "escape";
  }

  function afterEscape(byte: number): void {
    if (byte === 0x5b) state = "control";
    else if (byte === 0x5d || byte === 0x50 || byte === 0x5f || byte === 0x5e || byte === 0x58) {
      state = "string";
      isOsc = byte === 0x5d;
    } else if (byte >= 0x20 && byte <= 0x2f) state = "intermediate";
    else if (byte >= 0x30 && byte <= 0x7e) drop();
    else reject(byte);
  }

  /** `byte` cannot continue the sequence: it is text, or opens the next one. */
  function reject(byte: number): void {
    release();
    if (byte === esc) open();
    else emit(byte);
  }

  function inControl(byte: number): void {
    if (byte >= 0x40 && byte <= 0x7e) drop();
    else if (byte >= 0x20 && byte <= 0x3f && held.length < maxControlSequenceBytes) held.push(byte);
    else reject(byte);
  }

  function inIntermediate(byte: number): void {
    if (byte >= 0x30 && byte <= 0x7e) drop();
    else if (byte < 0x20 || byte > 0x2f || held.length >= maxControlSequenceBytes) reject(byte);
    else held.push(byte);
  }

  function inString(byte: number): void {
    if (byte === bel && isOsc) drop();
    else if (byte === can || byte === sub) drop();
    else if (byte === esc) state = "stringEscape";
    else if (held.length >= maxStringSequenceBytes || (byte === lineFeed && isOsc)) reject(byte);
    else held.push(byte);
  }

  /** ESC inside a string: `ESC \` closes it, anything else starts over. */
  function inStringEscape(byte: number): void {
    if (byte === 0x5c) {
      drop();
      return;
    }
    release();
    open();
    afterEscape(byte);
  }

  function step(byte: number): void {
    switch (state) {
      case "escape":
        return afterEscape(byte);
      case "intermediate":
        return inIntermediate(byte);
      case "control":
        return inControl(byte);
      case "string":
        return inString(byte);
      case "stringEscape":
        return inStringEscape(byte);
      case "text":
        return byte === esc ? open() : emit(byte);
    }
  }

  function reserve(bytes: number): void {
    if (out.length < bytes) out = new Uint8Array(bytes);
    length = 0;
  }

  return {
    push(chunk) {
      let next = state === "text" ? chunk.indexOf(esc) : 0;
      if (next === -1) return chunk;
      reserve(chunk.length + held.length);
      let position = 0;
      while (position < chunk.length) {
        if (state === "text") {
          next = chunk.indexOf(esc, position);
          const end = next === -1 ? chunk.length : next;
          out.set(chunk.subarray(position, end), length);
          length += end - position;
          position = end;
          if (next === -1) break;
        }
        step(chunk[position++] ?? 0);
      }
      return out.subarray(0, length);
    },
    end() {
      reserve(held.length);
      release();
      return out.subarray(0, length);
    },
  };
}

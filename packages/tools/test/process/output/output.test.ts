import * as fc from "fast-check";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createEscapeStripper } from "../../../src/process/output/escape-stripper.ts";
import { createHeadTail, headBytes, tailBytes } from "../../../src/process/output/head-tail.ts";
import { createOutputCapture } from "../../../src/process/output/output-capture.ts";
import { createRedactor, redactText, secretsFault } from "../../../src/process/output/redactor.ts";
import { statusLine } from "../../../src/process/output/status-line.ts";
import { createTextRepair } from "../../../src/process/output/text-repair.ts";
import { createTaskOutput } from "../../../src/tasks/task-output.ts";

interface Stage {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** What a stage makes of bytes that arrive in pieces of the given sizes. */
function through(stage: Stage, bytes: Uint8Array, sizes: readonly number[] = []): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    parts.push(Buffer.from(stage.push(Uint8Array.from(bytes.subarray(at, at + size)))));
    at += size;
  }
  parts.push(Buffer.from(stage.end()));
  return Buffer.concat(parts);
}

const stripped = (text: string, sizes: readonly number[] = []): string => through(createEscapeStripper(), Buffer.from(text), sizes).toString();
const pieces = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });

describe("escape sequences", () => {
  it.each([
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["cursor movement and erasing", "a\u001b[2K\u001b[1Ab\u001b[?25l", "ab"],
    ["a title that BEL closes", "\u001b]0;title\u0007x", "x"],
    ["a link that ST closes", "\u001b]8;;http://a\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["device strings with line breaks", "\u001bPq#0\n#1\u001b\\x", "x"],
    ["APC, PM, SOS", "\u001b_a\u001b\\\u001b^b\u001b\\\u001bXc\u001b\\x", "x"],
    ["character sets and two-letter sequences", "\u001b(B\u001b=\u001b7x\u001bM", "x"],
    ["an intermediate byte", "\u001b[1 qx", "x"],
    ["one broken off by another", "\u001b[1\u001b[2mx", "1x"],
    ["one broken off by a letter that cannot be", "\u001b[1;é", "1;é"],
    ["one that CAN stops", "\u001b]0;abc\u0018x", "x"],
  ])("strips %s", (_name, input, expected) => expect(stripped(input)).toBe(expected));

  it("an opener that is never closed hides nothing", () => {
    const text = "x".repeat(20_000);
    expect(stripped(`\u001b]0;${text}`)).toContain("x".repeat(19_000));
    expect(stripped(`\u001bP${text}`)).toContain("x".repeat(20_000));
    expect(stripped("\u001b]0;title\nnext line\n")).toContain("next line\n");
    expect(stripped("end \u001b]0;never")).toBe("end 0;never");
    expect(stripped("end \u001b[3")).toBe("end 3");
    expect(stripped("end \u001b")).toBe("end ");
  });

  it("does not depend on how the stream is cut", () => {
    const part = fc.oneof(fc.constantFrom("\u001b[31m", "\u001b]0;t\u0007", "\u001b", "\u001b[", "\u001b\\", "\n", "é", "\u001bP1\u001b\\"), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), pieces, (parts, sizes) => {
        const text = parts.join("");
        expect(stripped(text, sizes)).toBe(stripped(text));
        expect(stripped(text)).not.toContain("\u001b");
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with Node on plain styling", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom("\u001b[1m", "\u001b[38;5;12m", "\u001b[0K"), fc.stringMatching(/^[a-z \n]{0,8}$/))), (parts) => {
        expect(stripped(parts.join(""))).toBe(stripVTControlCharacters(parts.join("")));
      }),
    );
  });
});

describe("text repair", () => {
  it("gives valid UTF-8 without NUL, as a whole decoder would, however it is cut", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), pieces, (bytes, sizes) => {
        const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", "\u2400");
        const text = through(createTextRepair(), bytes, sizes).toString();
        expect(text.replaceAll(/\ufffd+/g, "\ufffd")).toBe(expected.replaceAll(/\ufffd+/g, "\ufffd"));
      }),
      { numRuns: 3000 },
    );
  });

  it("[B-18] never splits a character of valid text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), pieces, (text, sizes) => {
      expect(through(createTextRepair(), Buffer.from(text.replaceAll("\0", "")), sizes).toString()).toBe(Buffer.from(text.replaceAll("\0", "")).toString());
    }));
  });
});

describe("[T25] head and tail", () => {
  it("keep everything up to their sum and cut at characters above it", () => {
    const unit = fc.constantFrom("a", "é", "€", "😀");
    fc.assert(
      fc.property(unit, fc.integer({ min: 0, max: 3 }), fc.integer({ min: 16_370, max: 16_400 }), (character, shift, length) => {
        const text = "x".repeat(shift) + character.repeat(Math.ceil(length / Buffer.byteLength(character)));
        const kept = createHeadTail();
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 1000) kept.push(bytes.subarray(at, at + 1000));
        const { head, omittedBytes, tail } = kept.cut();
        expect(Buffer.byteLength(head) + omittedBytes + Buffer.byteLength(tail)).toBe(bytes.length);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        if (bytes.length <= headBytes + tailBytes) expect(omittedBytes).toBe(0);
        else expect(Buffer.byteLength(head)).toBeGreaterThan(headBytes - 4);
      }),
    );
  });

  it("keep the right end, whatever the size of the pieces", () => {
    const all = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 10).join(""));
    for (const size of [1, 7, 2048, 14_336, 14_337, 40_000, 50_000]) {
      const kept = createHeadTail();
      for (let at = 0; at < all.length; at += size) kept.push(all.subarray(at, at + size));
      expect(kept.cut()).toEqual({ head: all.toString("utf8", 0, headBytes), omittedBytes: 50_000 - headBytes - tailBytes, tail: all.toString("utf8", all.length - tailBytes) });
    }
  });
});

describe("secrets", () => {
  it("are found however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("s3cret", "s3c", "ret", "x", "\n"), { maxLength: 15 }), pieces, (parts, sizes) => {
        const text = parts.join("");
        const redacted = through(createRedactor({ KEY: "s3cret" }), Buffer.from(text), sizes).toString();
        expect(redacted).toBe(text.replaceAll("s3cret", "[redacted:KEY]"));
        expect(redactText(text, { KEY: "s3cret" })).toBe(redacted);
      }),
      { numRuns: 2000 },
    );
  });

  it("one that contains another is replaced as a whole; a short one is refused", () => {
    expect(redactText("abcdef abcd", { SHORT: "abcd", LONG: "abcdef" })).toBe("[redacted:LONG] [redacted:SHORT]");
    expect(secretsFault({ A: "abc" })).toContain("secret A is shorter than 4 bytes");
    expect(secretsFault({ A: "abcd" })).toBeUndefined();
  });
});

describe("the status line", () => {
  it.each([
    [{ kind: "exited", exitCode: 7 }, 12.3, "[exit 7; duration 12 ms]"],
    [{ kind: "killed", signal: "SIGSEGV" }, 5, "[killed by SIGSEGV; duration 5 ms]"],
    [{ kind: "timed_out", limitMs: 30_000 }, 30_004, "[timed out after 30000 ms; duration 30004 ms]"],
    [{ kind: "cancelled" }, 51, "[cancelled; duration 51 ms]"],
  ] as const)("%j", (end, duration, expected) => expect(statusLine(end, duration)).toBe(expected));
});

describe("a capture", () => {
  it("[T27] that spills to a full disk is the same without a path", async () => {
    const capture = createOutputCapture({ openSpill: () => ({ write() {}, finish: () => Promise.resolve(undefined), discard: () => Promise.resolve() }) });
    capture.push(Buffer.alloc(20_000, "x"));
    expect((await capture.finish()).text).toContain("... (3616 bytes omitted. The full output could not be saved.)\n");
  });

  it("says so where only the start of it was kept", async () => {
    const capture = createOutputCapture({ openSpill: () => ({ write() {}, finish: () => Promise.resolve({ path: "/s/c.txt", capped: true }), discard: () => Promise.resolve() }) });
    capture.push(Buffer.alloc(20_000, "x"));
    expect((await capture.finish()).text).toContain("Only the first 64 MB of the output were kept, at /s/c.txt");
  });
});

describe("a task's output", () => {
  it("is read once and whole by following the offsets, at character boundaries", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 9 }), { maxLength: 20 }), fc.integer({ min: 1, max: 12 }), (texts, maxBytes) => {
        const output = createTaskOutput();
        for (const text of texts) output.push(Buffer.from(text));
        let read = "";
        for (let offset = 0; offset < output.totalBytes; ) {
          const slice = output.read(offset, maxBytes);
          read += slice.text;
          expect(slice.nextOffset).toBeGreaterThan(offset);
          offset = slice.nextOffset;
        }
        expect(read).toBe(Buffer.concat(texts.map((text) => Buffer.from(text))).toString());
      }),
    );
  });

  it("forgets its oldest bytes over 1 MiB and says how many", () => {
    const output = createTaskOutput();
    for (let piece = 0; piece < 300; piece++) output.push(Buffer.alloc(10_000, piece % 26 === 0 ? "€" : "x"));
    expect(output.totalBytes - output.firstOffset).toBe(1024 * 1024);
    expect(output.read(0, 100).droppedBytes).toBeGreaterThanOrEqual(output.firstOffset);
  });
});

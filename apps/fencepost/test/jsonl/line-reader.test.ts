import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { maxLineBytes, readLines, type Line } from "../../src/jsonl/line-reader.ts";

async function linesOf(...chunks: (string | Buffer)[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(line);
  return lines;
}

describe("lines of a byte stream", () => {
  it("are put together across chunks, also where a character is split", async () => {
    const euro = Buffer.from("€");
    expect(await linesOf('{"a', '":1}\n{"b":2}\r\n\n  \n', Buffer.concat([Buffer.from("x"), euro.subarray(0, 1)]), Buffer.concat([euro.subarray(1), Buffer.from("\nlast")]))).toEqual([
      { text: '{"a":1}' },
      { text: '{"b":2}' },
      { text: "x€" },
      { text: "last" },
    ]);
  });

  it("that are not UTF-8 are a fault, and the next is read", async () => {
    expect(await linesOf(Buffer.from([0xff, 0xfe, 10]), "ok\n")).toEqual([{ fault: "the line is not valid UTF-8" }, { text: "ok" }]);
  });

  it("that never end are dropped, not kept in memory", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const many = Array.from({ length: maxLineBytes / chunk.length + 2 }, () => chunk);
    expect(await linesOf(...many, "\nok\n")).toEqual([{ fault: `the line is longer than ${maxLineBytes} bytes` }, { text: "ok" }]);
  });
});

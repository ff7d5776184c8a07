import { describe, expect, it } from "vitest";
import { parseRequest } from "../../src/jsonl/request.ts";

describe("a line of the protocol", () => {
  it("is read as one of the requests", () => {
    expect(parseRequest('{"id":"1","tool":"read","input":{"path":"a"}}')).toEqual({ kind: "call", id: "1", toolId: "read", input: { path: "a" } });
    expect(parseRequest('{"id":"1","tool":"list"}')).toEqual({ kind: "call", id: "1", toolId: "list", input: {} });
    expect(parseRequest('{"id":"2","cancel":"1"}')).toEqual({ kind: "cancel", id: "2", callId: "1" });
    expect(parseRequest('{"id":"3","undo":["1"]}')).toEqual({ kind: "undo", id: "3", changeIds: ["1"] });
    expect(parseRequest('{"id":"4","reapply":["1#1"]}')).toEqual({ kind: "reapply", id: "4", changeIds: ["1#1"] });
    expect(parseRequest('{"id":"5","mode":"accept-edits"}')).toEqual({ kind: "mode", id: "5", mode: "accept-edits" });
    expect(parseRequest('{"id":"6","tools":true}')).toEqual({ kind: "tools", id: "6" });
    expect(parseRequest('{"permission":{"requestId":"p","decision":"deny"}}')).toEqual({ kind: "permission", requestId: "p", decision: "deny" });
  });

  it.each([
    ["", null],
    ["{", null],
    ["null", null],
    ["[1]", null],
    ['"x"', null],
    ["{}", null],
    ['{"id":7,"tool":"list"}', null],
    ['{"id":"","tool":"list"}', null],
    [`{"id":"${"x".repeat(201)}","tool":"list"}`, null],
    ['{"permission":{"requestId":"p","decision":"always"}}', null],
    ['{"permission":{"requestId":"p","decision":"allow","remember":true}}', null],
    ['{"id":"1","permission":{"requestId":"p","decision":"allow"}}', null],
    ['{"id":"1"}', "1"],
    ['{"id":"1","tool":"list","cancel":"0"}', "1"],
    ['{"id":"1","tool":"list","policy":"open"}', "1"],
    ['{"id":"1","tool":["list"]}', "1"],
    ['{"id":"1","cancel":1}', "1"],
    ['{"id":"1","undo":[]}', "1"],
    ['{"id":"1","undo":"1"}', "1"],
    ['{"id":"1","mode":"yolo"}', "1"],
    ['{"id":"1","tools":{}}', "1"],
    ['{"id":"1","tools":true,"tool":"list"}', "1"],
    ['{"id":"1","mode":"auto","input":{}}', "1"],
    ["[".repeat(200_000), null],
  ])("%s is unreadable and answered to the right id", (line, id) => {
    const request = parseRequest(line);
    expect(request).toMatchObject({ kind: "unreadable", id });
    expect(request.kind === "unreadable" && request.message.length).toBeGreaterThan(10);
  });
});

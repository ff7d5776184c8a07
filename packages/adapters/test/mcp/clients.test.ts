import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession, type AgentSession } from "@fencepost/core";
import { listenMcpHttp, protocolApprover, type HttpServing } from "@fencepost/adapters/mcp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allow, clientKinds, connectClient, deny, textOf, type McpClient } from "../doubles/mcp-clients.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
let session: AgentSession;
let serving: HttpServing;

beforeAll(async () => {
  session = await openSession({ workspace: place.path, approver: protocolApprover });
  serving = await listenMcpHttp(session);
});

afterAll(async () => {
  await serving.close();
  await session.close();
});

const escalated = {
  path: ".env",
  content: "A=1\n",
  sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] },
  justification: "The tests need A.",
};

describe.each(clientKinds)("%s over HTTP", (kind) => {
  let client: McpClient;

  beforeEach(async () => {
    client = await connectClient(kind, serving);
    return () => client.close();
  });

  it("[T1] lists what can be called, with all four hints and the result's schema", async () => {
    const tools = await client.list();
    expect(tools.map(({ name }) => name)).toEqual(session.definitions.map(({ id }) => id));
    for (const { annotations, outputSchema } of tools) {
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual(["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"]);
      expect(outputSchema).toMatchObject({ type: "object" });
    }
    expect(tools.find(({ name }) => name === "read")?.annotations).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
  });

  it("calls each tool, its text as content and in the structured form", async () => {
    const name = `calls-${clientKinds.indexOf(kind)}`;
    const inputs = {
      write: { path: `${name}/a.txt`, content: "one\ntwo\n" },
      read: { path: `${name}/a.txt` },
      edit: { filePath: `${name}/a.txt`, oldString: "two", newString: "2" },
      grep: { pattern: "one", path: name },
      glob: { pattern: `${name}/*` },
      list: { path: name },
      bash: { command: `cat ${name}/a.txt` },
    };
    for (const [tool, input] of Object.entries(inputs)) {
      const answered = await client.call(tool, input);
      expect(answered.isError, textOf(answered)).toBeFalsy();
      expect(answered.structuredContent).toMatchObject({ status: "succeeded", text: textOf(answered), sandboxDenied: false });
      expect(JSON.stringify(answered)).not.toContain("beforeContent");
    }
    expect(readFileSync(join(place.path, name, "a.txt"), "utf8")).toBe("one\n2\n");
  });

  it("a failed tool is an answer that is an error; a command's exit code is not", async () => {
    const missing = await client.call("read", { path: "missing.txt" });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toContain("missing.txt does not exist");
    const exit = await client.call("bash", { command: "exit 3" });
    expect(exit.isError).toBeFalsy();
    expect(exit.structuredContent).toMatchObject({ status: "succeeded", data: { exitCode: 3 } });
  });

  it("bad arguments are an answer that says what was expected", async () => {
    const answered = await client.call("read", { path: "a.txt", lines: 3 });
    expect(answered.isError).toBe(true);
    expect(textOf(answered)).toContain("unknown field `lines`");
  });

  it("[T4] an unknown tool is an error of the protocol, and the connection goes on", async () => {
    await expect(client.call("launch_missiles", {})).rejects.toMatchObject({ code: -32602 });
    expect((await client.list()).length).toBeGreaterThan(0);
  });

  it("tells what a command says while it runs", async () => {
    const messages: string[] = [];
    await client.call("bash", { command: "echo first; sleep 0.4; echo second" }, { onProgress: (message) => messages.push(message) });
    expect(messages.join("")).toContain("first");
  });

  it("[T11] a cancelled call ends its command", async () => {
    const gate = `cancel-${clientKinds.indexOf(kind)}`;
    const controller = new AbortController();
    const calling = client.call("bash", { command: `touch ${gate}.started; sleep 30; touch ${gate}.ended` }, { signal: controller.signal });
    const settled = calling.then(
      () => "answered",
      () => "rejected",
    );
    await until(() => existsSync(join(place.path, `${gate}.started`)));
    controller.abort();
    expect(await settled).toBe("rejected");
    // The session runs one call at a time: this one starts when the other is gone.
    expect((await client.call("bash", { command: "true" })).isError).toBeFalsy();
    expect(existsSync(join(place.path, `${gate}.ended`))).toBe(false);
    expect(session.records.findLast(({ status }) => status === "cancelled")).toBeDefined();
  });

  it("[P18] [P19] asks the person at the client, and a yes holds for that call only", async () => {
    const recordsBefore = session.records.length;
    client.answers = [allow, deny];
    const answered = await client.call("write", { ...escalated, path: `allowed-${clientKinds.indexOf(kind)}/.env`, sandboxPermissions: { paths: [{ path: `allowed-${clientKinds.indexOf(kind)}/.env`, access: "write", scope: "exact" }] } });
    expect(textOf(answered)).toContain("Created");
    expect(client.questions).toHaveLength(1);
    expect(client.questions[0]).toContain("Reason given by the model:\n    The tests need A.");
    expect(client.questions[0]).toMatch(/write exact \(sensitive\) .*\.env/);
    // One call, one decision: the question itself was not a call.
    expect(session.records.slice(recordsBefore).map(({ source, status }) => [source, status])).toEqual([["user", "succeeded"]]);
    const again = await client.call("write", { ...escalated, content: "A=2\n" });
    expect(client.questions).toHaveLength(2);
    expect(again.isError).toBe(true);
    expect(textOf(again)).toContain("The user denied this call");
    expect(existsSync(join(place.path, ".env"))).toBe(false);
  });

  it("[P26] a command that deletes asks too, and a declined form is a no", async () => {
    mkdirSync(join(place.path, "build"), { recursive: true });
    writeFileSync(join(place.path, "build/out"), "");
    client.answers = [{ action: "decline" }, { action: "cancel" }, allow];
    const declined = await client.call("bash", { command: "rm -rf build" });
    expect(textOf(declined)).toContain("The user denied this call");
    const dismissed = await client.call("bash", { command: "rm -rf build" });
    expect(textOf(dismissed)).toContain("dismissed without an answer");
    expect(existsSync(join(place.path, "build/out"))).toBe(true);
    expect((await client.call("bash", { command: "rm -rf build" })).isError).toBeFalsy();
    expect(existsSync(join(place.path, "build"))).toBe(false);
    expect(client.questions[0]).toContain("Command:\n    rm -rf build");
  });

  it("[P9] what nobody can allow is refused without a question", async () => {
    client.answers = [allow];
    const hook = ".git/hooks/pre-commit";
    const answered = await client.call("write", { path: hook, content: "x", sandboxPermissions: { paths: [{ path: hook, access: "write", scope: "exact" }] }, justification: "please" });
    expect(answered.isError).toBe(true);
    expect(client.questions).toEqual([]);
  });

  it("a client that shows no forms is told that nobody could be asked", async () => {
    const silent = await connectClient(kind, serving, false);
    const answered = await silent.call("write", escalated);
    expect(answered.isError).toBe(true);
    expect(textOf(answered)).toContain("this client cannot show questions");
    await silent.close();
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

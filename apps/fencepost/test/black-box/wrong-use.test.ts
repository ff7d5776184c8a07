import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { calls, fails, says } from "../../../../packages/core/test/doubles/openai-server.ts";
import { modelWorld, tool } from "./model-world.ts";
import { runCommand } from "./run-command.ts";

const at = modelWorld();

describe("`fencepost` used in a way that it does not have", () => {
  it("without a command it helps, on standard output, with exit code 0", async () => {
    const { code, stdout, stderr } = await runCommand(at.world, []);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Commands\n  fencepost call");
  });

  it("what is wrong with `run` is told before anything about the model", async () => {
    const { code, stdout, stderr } = await runCommand(at.world, ["run", "x", "--resume", "nope"]);
    expect([code, stdout, stderr]).toEqual([2, "", 'fencepost: no session "nope" is stored; `fencepost sessions` lists them\n']);
  });

  it("`diff` of a change that is not there says so, also beside one that is", async () => {
    const { env } = await at.model(calls(tool("write", { path: "a.txt", content: "one\n" })), says("Done."));
    await runCommand(at.world, ["run", "write"], { env });
    const [change]: readonly { readonly changeId: string }[] = JSON.parse((await runCommand(at.world, ["diff", "--json"])).stdout);
    const missing = await runCommand(at.world, ["diff", "bogus"]);
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toMatch(/^fencepost: session [0-9a-f]{16} has no change "bogus"; `fencepost diff` without an id shows all\n$/);
    const half = await runCommand(at.world, ["diff", "bogus", change?.changeId ?? ""]);
    expect([half.code, half.stdout]).toEqual([1, expect.stringContaining("a.txt +1 -0 (created)")]);
    expect(await runCommand(at.world, ["diff", "bogus", "--json"])).toMatchObject({ code: 1, stdout: "[]\n" });
  });
});

describe("`fencepost run -`", () => {
  it("reads the prompt from standard input", async () => {
    const { env } = await at.model(says("Done."));
    const { code } = await runCommand(at.world, ["run", "-"], { env, input: "fix it\nall of it\n" });
    expect(code).toBe(0);
    expect(JSON.stringify(at.requests[0]?.messages)).toContain(String.raw`fix it\nall of it`);
  });

  it("refuses when standard input says nothing", async () => {
    expect(await runCommand(at.world, ["run", "-"], { input: " \n" })).toMatchObject({ code: 2, stdout: "", stderr: "fencepost: the prompt is empty; say what is to be done\n" });
  });
});

describe("a model that cannot be reached", () => {
  it("is told with the variable that names its address", async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const { code, stdout, stderr } = await runCommand(at.world, ["run", "x", "--model", "local/m"], { env: { FENCEPOST_MODEL_URL: url } });
    expect([code, stderr]).toEqual([1, `fencepost: the model's address is ${url}, from FENCEPOST_MODEL_URL\n`]);
    expect(stdout).toContain(`The turn failed (model_error): no answer from ${url}/chat/completions`);
  });

  it("also where the variable is not set, and where a server answers with an error", async () => {
    const { env } = await at.model(fails(404, "no such path"));
    expect((await runCommand(at.world, ["run", "x"], { env })).stderr).toContain("from FENCEPOST_MODEL_URL\n");
    // Whatever listens there, it has no such model.
    expect((await runCommand(at.world, ["run", "x", "--model", "local/no-such-model"], { env: { FENCEPOST_MODEL_URL: "" } })).stderr).toContain("fencepost: the model's address is http://127.0.0.1:11434/v1; FENCEPOST_MODEL_URL names another\n");
  });

  it.each(["localhost:8080/v1", "not a url", "ftp://127.0.0.1/v1"])("an address that is none (%j) is a usage error that names the variable", async (url) => {
    const { code, stdout, stderr } = await runCommand(at.world, ["run", "x", "--model", "local/m"], { env: { FENCEPOST_MODEL_URL: url } });
    expect([code, stdout, stderr]).toEqual([2, "", `fencepost: FENCEPOST_MODEL_URL is "${url}"; expected an address such as http://127.0.0.1:11434/v1\n`]);
  });
});

/** A command that leaves protected names behind, and the directory that its note names. */
async function leave(command: string): Promise<string> {
  const { stdout } = await runCommand(at.world, ["call", "bash", JSON.stringify({ command })]);
  return /were moved to (\S+): /.exec(stdout)?.[1] ?? "no note";
}

describe.runIf(process.platform === "linux")("`fencepost quarantine` takes what its notes print", () => {
  it("the directory of a note restores all that the call left, or drops it", async () => {
    const directory = await leave("mkdir sub; echo A=1 > sub/.env; echo B=2 > .env");
    const restored = await runCommand(at.world, ["quarantine", "restore", directory]);
    expect([restored.code, restored.stdout.split("\n").toSorted()]).toEqual([0, ["", `Restored ${at.path(".env")}`, `Restored ${at.path("sub/.env")}`]]);
    expect([readFileSync(at.path(".env"), "utf8"), readFileSync(at.path("sub/.env"), "utf8")]).toEqual(["B=2\n", "A=1\n"]);
    rmSync(at.path(".env"));
    expect(await runCommand(at.world, ["quarantine", "drop", await leave("echo C=3 > .env")])).toMatchObject({ code: 0, stdout: `Dropped ${at.path(".env")}\n` });
    expect((await runCommand(at.world, ["quarantine", "list"])).stdout).toBe("Nothing is in quarantine.\n");
  });

  it("the name of a file restores it, and asks which where there are several", async () => {
    await leave("echo A=1 > .env");
    await leave("echo A=2 > .env");
    const which = await runCommand(at.world, ["quarantine", "restore", ".env"]);
    expect(which.code).toBe(2);
    expect(which.stderr).toMatch(/^fencepost: 2 entries were \.env; say which: \S+\/\S+\/\d+, \S+\/\S+\/\d+\n$/);
    expect(existsSync(at.path(".env"))).toBe(false);
    const [first]: readonly { readonly id: string }[] = JSON.parse((await runCommand(at.world, ["quarantine", "list", "--json"])).stdout);
    await runCommand(at.world, ["quarantine", "drop", first?.id ?? ""]);
    expect(await runCommand(at.world, ["quarantine", "restore", ".env"])).toMatchObject({ code: 0, stdout: `Restored ${at.path(".env")}\n` });
    expect(readFileSync(at.path(".env"), "utf8")).toBe("A=2\n");
  });

  it("what is not kept is told, with the way to what is", async () => {
    expect(await runCommand(at.world, ["quarantine", "restore", "nothing"])).toMatchObject({ code: 1, stdout: "", stderr: "fencepost: Nothing is kept under nothing. `fencepost quarantine list` shows what is.\n" });
  });
});

/** A port where nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { openAiServer, type ChatRequest, type ServerAnswer } from "../../../../packages/core/test/doubles/openai-server.ts";
import { buildCommand } from "./built-command.ts";
import { createWorld, type World } from "./world.ts";

/** A small git repository to work in, and a server that plays the model. One of each a test. */
export interface ModelWorld {
  readonly world: World;
  readonly requests: readonly ChatRequest[];
  path(inWorkspace: string): string;
  /** A server with these answers, and what makes the command use it. */
  model(...answers: readonly ServerAnswer[]): Promise<{ readonly env: Readonly<Record<string, string>> }>;
}

export function modelWorld(): ModelWorld {
  let world: World;
  let server: Awaited<ReturnType<typeof openAiServer>> | undefined;
  beforeAll(buildCommand);
  beforeEach(() => {
    world = createWorld();
    cpSync(fileURLToPath(new URL("../../sample", import.meta.url)), world.workspace, { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: world.workspace });
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    world.remove();
  });
  return {
    get world() {
      return world;
    },
    get requests() {
      return server?.requests ?? [];
    },
    path: (inWorkspace) => join(world.workspace, inWorkspace),
    async model(...answers) {
      server = await openAiServer(answers);
      return { env: { FENCEPOST_MODEL: "local/m", FENCEPOST_MODEL_URL: server.url } };
    },
  };
}

/** A call as the server sends it. */
export function tool(name: string, input: object): { readonly name: string; readonly arguments: string } {
  return { name, arguments: JSON.stringify(input) };
}

/** The parameters with which a call asks to write a path. */
export function asking(path: string): object {
  return { sandboxPermissions: { paths: [{ path, access: "write", scope: "exact" }] }, justification: "The tests read A from it." };
}

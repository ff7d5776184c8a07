import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resolveEnvironment, SandboxPolicy, type SandboxAvailability, type SandboxBackend, type SandboxMode, type TierAdditions } from "@fencepost/sandbox";
import type { CallContext } from "../../src/context/call-context.ts";
import { localSession } from "../../src/context/local-session.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import type { ToolOptions } from "../../src/context/tool-options.ts";

/** A home, a workspace and a place beside both, outside the temporary directories; the real disk, no kernel sandbox. */
export interface TestPlace {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly outside: string;
  readonly stateHome: string;
  readonly session: SessionContext;
  readonly policy: SandboxPolicy;
  policyOf(mode: SandboxMode): SandboxPolicy;
  call(extra?: Partial<CallContext>): CallContext;
  remove(): Promise<void>;
}

export interface PlaceChoices {
  readonly sandbox?: SandboxAvailability;
  readonly escalation?: SessionContext["escalation"];
  readonly options?: Partial<ToolOptions>;
  readonly additions?: Partial<TierAdditions>;
  readonly redact?: (text: string) => string;
}

let calls = 0;

export async function makeTestPlace(choices: PlaceChoices = {}): Promise<TestPlace> {
  const root = realpathSync(mkdtempSync(join(homedir(), ".cache-fencepost-test-")));
  const [home, workspace, outside] = [join(root, "home"), join(root, "work"), join(root, "outside")];
  for (const directory of [home, workspace, outside]) mkdirSync(directory);
  const environment = resolveEnvironment({ workspaceRoot: workspace, env: { HOME: home }, ...(choices.additions && { additions: choices.additions }) });
  const policyOf = (mode: SandboxMode): SandboxPolicy => new SandboxPolicy({ mode, workspaceRoot: workspace, grants: [], environment, network: "host" });
  const policy = policyOf("auto");
  const session = await localSession({
    sessionId: "test session",
    workspaceRoot: workspace,
    environment,
    backend: backendDouble(choices.sandbox ?? { available: true }),
    hostEnvironment: { PATH: "/usr/bin:/bin", HOME: home },
    ...(choices.escalation && { escalation: choices.escalation }),
    ...(choices.options && { options: choices.options }),
    ...(choices.redact && { redact: choices.redact }),
  });
  return {
    root,
    home,
    workspace,
    outside,
    stateHome: environment.stateHome,
    session,
    policy,
    policyOf,
    call: (extra) => ({ callId: `call-${++calls}`, signal: new AbortController().signal, progress: () => undefined, policy, ...extra }),
    async remove() {
      await session.tasks?.close();
      await session.search.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function backendDouble(availability: SandboxAvailability): SandboxBackend {
  return {
    id: "double",
    probe: () => Promise.resolve(availability),
    prepare: () => Promise.resolve({ refused: true, kind: "failed", message: "the double starts nothing" }),
    close: () => Promise.resolve(),
  };
}

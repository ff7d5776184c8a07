import { canonicalWorkspace, platformBackend, resolveEnvironment } from "@fencepost/sandbox";
import { createLocalSearchBackend } from "@fencepost/tools";
import { createMemoryStore } from "../store/memory-store.ts";
import { checkOptions } from "./check-options.ts";
import { createSession } from "./create-session.ts";
import { sessionParts } from "./local-parts.ts";
import type { AgentSession, OpenSessionOptions } from "./session.ts";

/** Making a directory there does not fail, it never returns. */
const kernelFileSystem = /^\/(?:proc|sys|dev)(?:\/|$)/;

/**
 * Opens a session on this machine: its disk, its kernel sandbox, state under `~/.fencepost`.
 *
 * @throws {Error} one line: an option that does not exist, a workspace that is no directory, an unknown tool, a stored session of another workspace
 */
export async function openSession(options: OpenSessionOptions): Promise<AgentSession> {
  checkOptions(options);
  const workspace = canonicalWorkspace(options.workspace);
  if ("error" in workspace) throw new Error(workspace.error);
  const environment = resolveEnvironment({
    workspaceRoot: workspace.path,
    ...(options.stateHome !== undefined && { stateHome: options.stateHome }),
    ...(options.additions && { additions: options.additions }),
  });
  if (kernelFileSystem.test(environment.stateHome)) {
    throw new Error(`the state home ${environment.stateHome} lies in a file system of the kernel, where nothing can be kept; set HOME to a directory of your own`);
  }
  const backend = options.backend ?? platformBackend();
  const search = options.search ?? createLocalSearchBackend();
  const release = async (): Promise<void> => {
    if (!options.search) await search.close();
    if (!options.backend) await backend.close();
  };
  const store = options.store ?? (options.model ? createMemoryStore() : undefined);
  try {
    return createSession(await sessionParts(options, { workspace: workspace.path, environment, backend, search, store, release }));
  } catch (error) {
    await release();
    throw error;
  }
}

import { sandboxUnavailableText } from "../policy/denial-texts.ts";
import type { SandboxBackend } from "./backend.ts";

/** Refuses every command. `reason`: one clause; `remedy`: one line. */
export function unavailableBackend(reason: string, remedy: string): SandboxBackend {
  return {
    id: "unavailable",
    probe: async () => ({ available: false, reason, remedy }),
    prepare: async () => ({ refused: true, kind: "unavailable", message: sandboxUnavailableText(reason) }),
    close: async () => {},
  };
}

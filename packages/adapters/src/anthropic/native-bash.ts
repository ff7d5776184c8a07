import { failed, invalidInputPrefix, succeeded } from "@fencepost/contract";
import { fieldsOf } from "../shared/fields-of.ts";
import type { NativeShape } from "./native-shape.ts";

/** The native bash tool on ours. Its shell does not outlive a call: `restart` has nothing to do, and says so. */
export const nativeBash: NativeShape = {
  name: "bash",
  definition: { type: "bash_20250124", name: "bash" },
  replaces: ["bash"],
  run: async (input, run) => {
    const { command, restart } = fieldsOf(input);
    if (typeof command === "string" && command !== "") return run("bash", { command });
    if (restart === true) return succeeded("Each call runs in a fresh shell in the workspace, so there is nothing to restart: directories and variables of earlier calls are gone.");
    return failed("invalid_arguments", `${invalidInputPrefix}\`command\` is missing; expected a non-empty string.`);
  },
};

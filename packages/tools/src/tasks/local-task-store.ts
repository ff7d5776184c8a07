import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "@fencepost/sandbox";
import { Type } from "typebox";
import { createValidator, modelSchema } from "@fencepost/contract";
import { spillName } from "../spill/spill-name.ts";
import { taskStates, type TaskRecord } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

const Records = Type.Object({
  tasks: Type.Array(
    Type.Object({
      taskId: Type.String(),
      command: Type.String(),
      workingDirectory: Type.String(),
      login: Type.Boolean(),
      tty: Type.Boolean(),
      state: Type.Union(taskStates.map((state) => Type.Literal(state))),
      startedAt: Type.Number(),
      endedAt: Type.Union([Type.Number(), Type.Null()]),
      end: Type.Unknown(),
    }),
  ),
});

/** `<stateHome>/tasks/<session>.json`, replaced as a whole. */
export function createLocalTaskStore(stateHome: string, sessionId: string): TaskStore {
  const directory = join(stateHome, "tasks");
  const path = join(directory, `${spillName(sessionId)}.json`);
  const validate = createValidator(modelSchema(Records));
  return {
    load() {
      try {
        const content: unknown = JSON.parse(readFileSync(path, "utf8"));
        return isRecords(content, validate) ? content.tasks : [];
      } catch {
        return [];
      }
    },
    save(records) {
      try {
        makeDirectory(directory);
        const draft = `${path}.${process.pid}.new`;
        writeFileSync(draft, JSON.stringify({ tasks: records }), { mode: 0o600 });
        renameSync(draft, path);
      } catch {
        // History only: no call fails because it could not be kept.
      }
    },
  };
}

function isRecords(content: unknown, validate: (content: unknown) => string | null): content is { readonly tasks: readonly TaskRecord[] } {
  return validate(content) === null;
}

import { Type } from "typebox";
import { succeeded } from "@fencepost/contract";
import { taskData, taskLine } from "../commands/present-task.ts";
import { tasksOf } from "../commands/session-tasks.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { TasksData } from "./result-data.ts";

const defaultLimit = 20;
const maxLimit = 100;

const Input = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, description: `How many, newest first; default ${defaultLimit}` })) },
  { additionalProperties: false },
);

export const listCommandsTool = defineTool({
  id: "list_commands",
  description: "List the background commands of this session, newest first, with their states.",
  risk: "read_only",
  capabilities: ["session.read"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TasksData,
  examples: [{}, { limit: 5 }],
  async execute(session, _call, { limit = defaultLimit }) {
    const tasks = tasksOf(session);
    if ("refused" in tasks) return tasks.refused;
    const all = tasks.list();
    const shown = all.slice(0, limit);
    const now = Date.now();
    const more = all.length > shown.length ? [`[showing the ${shown.length} newest of ${all.length}]`] : [];
    const lines = [...shown.map((task) => taskLine(task, now)), ...more];
    return succeeded(lines.join("\n") || "No background commands. Start one with start_command.", { data: { total: all.length, tasks: shown.map(taskData) }, display: { kind: "text", title: "background commands", fields: [{ label: "total", value: String(all.length) }] } });
  },
});

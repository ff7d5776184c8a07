import { Type, type TSchema } from "typebox";

// What the built-in tools promise as `data` of a success: the typed value that the text is a receipt of.

const strict = { additionalProperties: false } as const;

const count = Type.Integer({ minimum: 0 });

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const oneOf = (...words: readonly string[]): TSchema => Type.Union(words.map((word) => Type.Literal(word)));

/** A total that is exact, or a lower bound where the search was stopped: `complete` says which. */
const complete = Type.Boolean({ description: "False: the search was stopped, and totals are at least" });

export const ReadData = Type.Object({ firstLine: count, lastLine: count, totalLines: orNull(count) }, strict);

export const ListData = Type.Object({ shown: count, total: count }, strict);

export const GrepData = Type.Object({ matchingLines: count, files: count, shownLines: count, shownFiles: count, complete }, strict);

export const GlobData = Type.Object({ files: Type.Array(Type.String()), total: count, complete }, strict);

const Change = Type.Object(
  { changeId: Type.String(), path: Type.String(), kind: oneOf("created", "modified", "deleted", "renamed"), additions: count, deletions: count },
  strict,
);

export const ChangesData = Type.Object({ changes: Type.Array(Change) }, strict);

const commandFields = {
  exitCode: orNull(Type.Integer()),
  signal: orNull(Type.String()),
  ended: oneOf("exited", "killed", "timed_out", "cancelled", "unknown"),
  durationMs: count,
  totalBytes: count,
  omittedBytes: count,
  spillPath: orNull(Type.String()),
};

export const CommandData = Type.Object(commandFields, strict);

const taskFields = {
  taskId: Type.String(),
  state: oneOf("queued", "running", "cancelling", "completed", "failed", "cancelled", "interrupted"),
  command: Type.String(),
  workdir: Type.String(),
  tty: Type.Boolean(),
  acceptsInput: Type.Boolean(),
  token: orNull(Type.String()),
  startedAt: Type.Number({ description: "Milliseconds since the epoch" }),
  endedAt: orNull(Type.Number()),
  exitCode: orNull(Type.Integer()),
  signal: orNull(Type.String()),
  totalBytes: count,
  logPath: orNull(Type.String()),
};

export const TaskData = Type.Object(taskFields, strict);

export const TasksData = Type.Object({ total: count, tasks: Type.Array(TaskData) }, strict);

export const TaskOutputData = Type.Object({ ...taskFields, offset: count, nextOffset: count, droppedBytes: count }, strict);

export const TaskInputData = Type.Object({ ...taskFields, acceptedInput: Type.Boolean(), nextOffset: Type.Optional(count), reason: Type.Optional(Type.String()) }, strict);

export const TaskSizeData = Type.Object({ ...taskFields, cols: count, rows: count }, strict);

/** A command that ended inside the window has what bash has; one that runs on has a task. */
export const StartedData = Type.Object(
  { ...optional(commandFields), ...optional(taskFields), handle: Type.Optional(oneOf("running", "already_running")), nextOffset: Type.Optional(count) },
  strict,
);

export const BatchData = Type.Object(
  { items: Type.Array(Type.Object({ command: Type.String(), state: oneOf("completed", "failed", "rejected", "skipped") }, strict)) },
  strict,
);

export const TerminalData = Type.Object({ pty: Type.Boolean(), resize: Type.Boolean(), input: Type.Boolean(), reason: orNull(Type.String()) }, strict);

function optional(fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]));
}

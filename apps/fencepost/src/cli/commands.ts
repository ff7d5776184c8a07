import type { Command } from "./command.ts";
import { commonOptions } from "./options.ts";

/** How many ids one command line may name. */
const maxIds = 1000;

/** Every command, in the order help lists them. */
export const commands: readonly Command[] = [
  {
    name: "call",
    usage: "<tool> ['<json>']",
    summary: "run one tool call and print its result",
    details: [
      "The input is a JSON object; without one it is {}, and - reads it from standard input.",
      "The text of the result goes to standard output, control characters escaped; --json prints the whole result.",
      "Tools: read write edit grep glob list bash.",
    ],
    options: commonOptions,
    operands: [1, 2],
    run: async (given, terminal) => (await import("../commands/call.ts")).call(given, terminal),
  },
  {
    name: "session",
    usage: "--jsonl",
    summary: "one session over standard input and output, a JSON object a line",
    details: ["The protocol is described in docs/cli.md."],
    options: [...commonOptions, "jsonl", "progress"],
    operands: [0, 0],
    run: async (given, terminal) => (await import("../commands/session.ts")).session(given, terminal),
  },
  {
    name: "run",
    usage: '"<prompt>"',
    summary: "let a model work in the workspace, and watch",
    details: [
      "Without a configured model an offline script answers. --model, else FENCEPOST_MODEL, names one:",
      "  local/<name>      an OpenAI-compatible server at FENCEPOST_MODEL_URL (default http://127.0.0.1:11434/v1)",
      "  openai/<name>     with OPENAI_API_KEY; OPENAI_BASE_URL may point elsewhere",
      "  anthropic/<name>  with ANTHROPIC_API_KEY",
      "  script/<file>     a file of steps: {\"steps\":[{\"text\":\"…\",\"calls\":[{\"toolId\":\"list\",\"input\":{}}]}]}",
      "Ctrl-C cancels the turn, a second one ends the process. --json prints the events, one a line.",
    ],
    options: [...commonOptions, "model", "resume"],
    operands: [1, 1],
    run: async (given, terminal) => (await import("../commands/run.ts")).run(given, terminal),
  },
  {
    name: "sessions",
    usage: "",
    summary: "the stored sessions, newest first",
    options: ["workspace", "json"],
    operands: [0, 0],
    run: async (given, terminal) => (await import("../commands/sessions.ts")).sessions(given, terminal),
  },
  {
    name: "diff",
    usage: "[<change id> …]",
    summary: "the file changes of a stored session",
    options: ["workspace", "json", "session"],
    operands: [0, maxIds],
    run: async (given, terminal) => (await import("../commands/changes.ts")).diff(given, terminal),
  },
  {
    name: "undo",
    usage: "[<change id> …]",
    summary: "take file changes of a stored session back (default: the last)",
    options: ["workspace", "json", "session"],
    operands: [0, maxIds],
    run: async (given, terminal) => (await import("../commands/changes.ts")).undo(given, terminal),
  },
  {
    name: "reapply",
    usage: "[<change id> …]",
    summary: "apply undone file changes again (default: the first of them)",
    options: ["workspace", "json", "session"],
    operands: [0, maxIds],
    run: async (given, terminal) => (await import("../commands/changes.ts")).reapply(given, terminal),
  },
  {
    name: "demo",
    usage: "",
    summary: "watch a session work on a scratch copy of a small project, offline",
    options: [],
    operands: [0, 0],
    run: async (given, terminal) => (await import("../commands/demo.ts")).demo(given, terminal),
  },
  {
    name: "doctor",
    usage: "",
    summary: "what the self-check of the sandbox found, and how to fix it",
    options: ["workspace", "json"],
    operands: [0, 0],
    run: async (given, terminal) => (await import("../commands/doctor.ts")).doctor(given, terminal),
  },
  {
    name: "explain",
    usage: "<path>",
    summary: "who may read and write a path, in each mode, and which rule says so",
    options: ["workspace", "json"],
    operands: [1, 1],
    run: async (given, terminal) => (await import("../commands/explain.ts")).explain(given, terminal),
  },
  {
    name: "profile",
    usage: "",
    summary: "what the kernel is told: the generated profile or arguments",
    options: ["workspace", "mode", "json", "backend"],
    operands: [0, 0],
    run: async (given, terminal) => (await import("../commands/profile.ts")).profile(given, terminal),
  },
  {
    name: "quarantine",
    usage: "list | restore <id> | drop <id>",
    summary: "files with protected names that commands left behind",
    options: ["workspace", "json"],
    operands: [1, 2],
    run: async (given, terminal) => (await import("../commands/quarantine.ts")).quarantine(given, terminal),
  },
];

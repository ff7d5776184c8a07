import { failed, succeeded } from "@fencepost/contract";
import { defineTool, resolvePath } from "@fencepost/tools";
import { Type } from "typebox";

const maxCountedBytes = 16 * 1024 * 1024;
const chunkBytes = 64 * 1024;
const lineFeed = 10;

const Input = Type.Object({ path: Type.String({ minLength: 1, description: "File to count" }) }, { additionalProperties: false });

export const countLinesTool = defineTool({
  id: "count_lines",
  description: "Count the lines of one text file, up to 16 MiB.",
  risk: "read_only",
  capabilities: ["filesystem.read"],
  family: "files",
  inputSchema: Input,
  examples: [{ path: "src/index.ts" }],
  async execute(session, call, { path }) {
    // The fence: a refusal is a finished result, with a text for the model.
    const checked = await resolvePath(path, "read", "mustExist", session, call.policy);
    if ("refused" in checked) return checked.refused;
    const { kind } = await session.fileSystem.stat(checked.real);
    if (kind !== "file") return failed("execution_failed", `${checked.shown} is a ${kind}. Give the path of a text file.`);
    const file = await session.fileSystem.open(checked.real, "read");
    try {
      const chunk = new Uint8Array(chunkBytes);
      let [lines, total] = [0, 0];
      for (let length = await file.read(chunk, null); length > 0 && total < maxCountedBytes; length = await file.read(chunk, null)) {
        call.signal.throwIfAborted();
        lines += chunk.subarray(0, length).filter((byte) => byte === lineFeed).length;
        total += length;
      }
      const text = `${checked.shown} has ${total < maxCountedBytes ? "" : "at least "}${lines} lines.`;
      return succeeded(text, { data: { lines } });
    } finally {
      await file.close();
    }
  },
});

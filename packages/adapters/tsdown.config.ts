import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    "ai-sdk": "src/ai-sdk/index.ts",
    anthropic: "src/anthropic/index.ts",
    index: "src/index.ts",
    mcp: "src/mcp/index.ts",
    openai: "src/openai/index.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  logLevel: "warn",
});

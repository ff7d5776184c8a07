import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "ai-sdk": "src/model/ai-sdk/ai-sdk-model.ts",
    otel: "src/trace/otel/open-telemetry-trace.ts",
    sqlite: "src/store/sqlite/open-sqlite-store.ts",
    testing: "src/testing/session-store-suite.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  logLevel: "warn",
});

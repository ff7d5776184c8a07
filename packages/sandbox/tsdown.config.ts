import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", fifos: "src/backend/fifos.ts", testing: "src/backend/testing/index.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  clean: true,
  logLevel: "warn",
});

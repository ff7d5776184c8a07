import { defineConfig } from "vitest/config";

// Tests read the packages' sources through the "@fencepost/source" condition: no build is needed to run them.
const resolve = { conditions: ["@fencepost/source", "node", "import", "default"] };

export default defineConfig({
  resolve,
  ssr: { resolve: { ...resolve, externalConditions: resolve.conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    reporters: ["default"],
  },
});

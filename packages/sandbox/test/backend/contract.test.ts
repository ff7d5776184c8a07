import { describe, it } from "vitest";
import { platformBackend } from "../../src/index.ts";
import { fakeSandboxBackend, testSandboxBackend } from "../../src/backend/testing/index.ts";

describe("the fake backend", () => testSandboxBackend({ describe, it }, fakeSandboxBackend));

describe.runIf(process.platform === "linux" || process.platform === "darwin")("the backend of this platform", () => testSandboxBackend({ describe, it }, () => platformBackend()));

import { platformBackend } from "@fencepost/sandbox";
import { testSandboxBackend } from "@fencepost/sandbox/testing";
import { describe, it } from "vitest";
import { auditedBackend } from "./audited-backend.ts";

describe("my backend", () => testSandboxBackend({ describe, it }, () => auditedBackend(platformBackend(), () => {})));

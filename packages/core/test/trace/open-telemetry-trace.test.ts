import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { SpanStatusCode } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { openTelemetryTrace } from "../../src/trace/otel/open-telemetry-trace.ts";
import { drivenSession } from "../doubles/driven-session.ts";
import { workspace } from "../doubles/policy.ts";
import { gitGrant, scriptedApprover } from "../doubles/scripted-session.ts";

describe("[P44] the trace", () => {
  it("exports one span a call, with mode, escalation, danger, decision, sizes and times", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const deleting = { toolId: "bash", input: { command: "rm -rf x", sandboxPermissions: gitGrant, justification: "to tidy" } };
    const { session, store } = await drivenSession([{ calls: [{ toolId: "read", input: { path: "a" } }, deleting] }], {
      parts: { trace: [openTelemetryTrace(provider.getTracer("test"))], approver: scriptedApprover("deny"), modeOrigin: "option" },
    });
    await session.prompt("go");
    const [read, bash] = exporter.getFinishedSpans();
    expect(exporter.getFinishedSpans()).toHaveLength(2);
    expect(read).toMatchObject({ name: "execute_tool read", status: { code: SpanStatusCode.UNSET } });
    expect(read?.attributes).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read",
      "gen_ai.conversation.id": "session",
      "fencepost.session.mode": "auto",
      "fencepost.session.mode_origin": "option",
      "fencepost.permission.decision": "allowed",
      "fencepost.permission.decision_source": "sandbox",
      "fencepost.input.bytes": 12,
      "fencepost.result.bytes": 9,
    });
    expect(bash?.status.code).toBe(SpanStatusCode.ERROR);
    expect(bash?.attributes).toMatchObject({
      "fencepost.escalation.paths": [`${workspace}/.git`],
      "fencepost.escalation.justification": "to tidy",
      "fencepost.danger.match": "rm_recursive_or_force",
      "fencepost.permission.decision": "denied",
      "fencepost.permission.decision_source": "user",
      "fencepost.sandbox.denied": false,
    });
    expect((await store.spans("session")).map(({ toolId, status, sandboxMode, source }) => [toolId, status, sandboxMode, source])).toEqual([
      ["read", "succeeded", "auto", "sandbox"],
      ["bash", "denied", "auto", "user"],
    ]);
  });

  it("does nothing where the host has set up no SDK", async () => {
    const { session } = await drivenSession([{ calls: [{ toolId: "read", input: {} }] }, { text: "Ok." }], { parts: { trace: [openTelemetryTrace()] } });
    expect((await session.prompt("go")).outcome.status).toBe("completed");
  });
});

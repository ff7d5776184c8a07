import { resultText } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/control/plan.ts";
import { updatePlanTool } from "../../src/control/update-plan.ts";
import { drivenSession } from "../doubles/driven-session.ts";
import { scriptedToolset } from "../doubles/scripted-toolset.ts";

const call = { callId: "1", signal: new AbortController().signal };
const step = (text: string, status = "pending") => ({ step: text, status });

describe("[C18] update_plan", () => {
  it("replaces the whole plan", async () => {
    const saved: Plan[] = [];
    const tool = updatePlanTool(async (plan) => void saved.push(plan));
    expect(resultText(await tool.run({ plan: [step("a", "in_progress"), step("b")] }, call))).toBe("Plan updated");
    await tool.run(JSON.stringify({ explanation: "less", plan: [] }), call);
    expect(saved).toEqual([{ steps: [step("a", "in_progress"), step("b")] }, { explanation: "less", steps: [] }]);
  });

  it.each([
    ["more than 128 steps", { plan: Array.from({ length: 129 }, () => step("a")) }],
    ["a step of more than 1024 characters", { plan: [step("x".repeat(1025))] }],
    ["a blank step", { plan: [step("a"), step(" \n")] }],
    ["an empty step", { plan: [step("")] }],
    ["two steps in progress", { plan: [step("a", "in_progress"), step("b", "in_progress")] }],
    ["another status", { plan: [step("a", "done")] }],
    ["an unknown field", { plan: [], title: "x" }],
    ["no plan", {}],
    ["broken JSON", "{"],
  ])("refuses %s and changes nothing", async (_what, input) => {
    const saved: Plan[] = [];
    const result = await updatePlanTool(async (plan) => void saved.push(plan)).run(input, call);
    expect(result.error?.code).toBe("invalid_arguments");
    expect(resultText(result)).toMatch(/^invalid tool input: /);
    expect(saved).toEqual([]);
  });

  it("takes 128 steps of 1024 characters", async () => {
    const result = await updatePlanTool(async () => undefined).run({ plan: Array.from({ length: 128 }, () => step("é".repeat(1024))) }, call);
    expect(result.status).toBe("succeeded");
  });

  it("is stored, announced and decided as the session's own; a store that fails leaves the old plan", async () => {
    const plan = { plan: [step("a")] };
    const { session, store, log } = await drivenSession([{ calls: [{ toolId: "update_plan", input: plan }] }, { text: "Ok." }]);
    await session.prompt("plan");
    expect((await store.session("session"))?.plan).toEqual({ steps: plan.plan });
    expect(session.events.snapshot.plan).toEqual({ steps: plan.plan });
    expect(log.filter(({ type }) => type === "plan_updated")).toHaveLength(1);
    expect(session.records[0]).toMatchObject({ decision: "allowed", source: "control_tool" });
    store.setPlan = () => Promise.reject(new Error("full"));
    const failing = await session.call({ callId: "x", toolId: "update_plan", input: { plan: [] } });
    expect(failing.status).toBe("failed");
    expect(session.events.snapshot.plan).toEqual({ steps: plan.plan });
  });

  it("a registered tool of its name is refused when the session is made", async () => {
    await expect(drivenSession([], { toolset: scriptedToolset([{ id: "update_plan" }]) })).rejects.toThrow(/update_plan has the name/);
  });
});

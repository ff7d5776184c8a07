import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse, type InputRequest, type ServerContext } from "@modelcontextprotocol/server";
import type { Answer } from "../shared/answered-approver.ts";
import { fieldsOf } from "../shared/fields-of.ts";

/** The name of the one question a call can ask. */
export const questionKey = "approval";

/** A card as the protocol's own form: one choice, and no answer is no. */
export function question(text: string): InputRequest {
  return inputRequired.elicit({
    message: text,
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", description: "allow holds for this one call", enum: ["allow", "deny"] },
      },
      required: ["decision"],
    },
  });
}

/** What the client says a person answered; undefined where nobody was asked yet. Only a clear "allow" allows. */
export function answerIn(responses: Record<string, unknown> | undefined): Answer["decision"] | undefined {
  const response = inputResponse(responses, questionKey);
  if (response.kind === "missing") return undefined;
  if (response.kind !== "elicit" || response.action === "cancel") return "dismissed";
  return response.action === "accept" && response.content?.["decision"] === "allow" ? "allow" : "deny";
}

/** Whether the client of this request can put a form to a person. */
export function canAsk({ mcpReq }: ServerContext, declared: object | undefined): boolean {
  const { elicitation } = fieldsOf(fieldsOf(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY] ?? declared);
  // An empty object is the older way to say "forms".
  return typeof elicitation === "object" && elicitation !== null && ("form" in elicitation || Object.keys(elicitation).length === 0);
}

import type { Approver } from "@fencepost/core";
import { cardDigest } from "./card-digest.ts";

/** What a person said, before the call, to the card with this digest. */
export interface Answer {
  readonly digest: string;
  readonly decision: "allow" | "deny" | "dismissed";
}

/** Passes an answer on to the call it was given for, once, and only where the card is still the one that was answered. */
export function answeredApprover(input: unknown, answer: Answer | undefined): Approver {
  let left = answer;
  return {
    decide: async (card) => {
      const given = left;
      left = undefined;
      if (given === undefined) throw new Error("what the call asks for became known only after the question; call again");
      if (given.decision === "dismissed") throw new Error("the question was dismissed without an answer");
      if (given.decision === "deny") return "deny";
      if (cardDigest(input, card) !== given.digest) throw new Error("what the call asks for changed after the answer; call again");
      return "allow";
    },
  };
}

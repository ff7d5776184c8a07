import { Type, type Static } from "typebox";

/** How many paths one escalation may list. */
export const maxEscalationPaths = 16;

export const PathPermission = Type.Object(
  {
    path: Type.String({ minLength: 1, description: "Absolute, ~/… or relative path" }),
    access: Type.Union([Type.Literal("read"), Type.Literal("write")], { description: "write includes read" }),
    scope: Type.Union([Type.Literal("exact"), Type.Literal("subtree")], { description: "exact: this path only; subtree: everything below it too" }),
  },
  { additionalProperties: false },
);

/** The paths a call asks to use beyond the policy. There is no value that means "everything". */
export const SandboxPermissions = Type.Object(
  { paths: Type.Array(PathPermission, { minItems: 1, maxItems: maxEscalationPaths }) },
  {
    additionalProperties: false,
    description: "Only after a sandbox denial: the paths this one call needs beyond the policy. The user will be asked.",
  },
);

/** The two parameters added to a tool that may escalate, where the sandbox is available. */
export const escalationProperties = {
  sandboxPermissions: Type.Optional(SandboxPermissions),
  justification: Type.Optional(Type.String({ minLength: 1, description: "One sentence for the user: why this call needs these paths." })),
} as const;

export type PathPermission = Static<typeof PathPermission>;
export type SandboxPermissions = Static<typeof SandboxPermissions>;

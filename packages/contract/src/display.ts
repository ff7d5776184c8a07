export const displayKinds = ["text", "command", "search", "diff", "artifact", "json"] as const;

/** What a person is shown of a result. Plain text everywhere: a host never renders it as markup. */
export interface Display {
  readonly kind: (typeof displayKinds)[number];
  /** At most `displayLimits.titleCharacters`. */
  readonly title: string;
  /** At most `displayLimits.bodyBytes` of UTF-8. */
  readonly body?: string;
  /** At most `displayLimits.fields`, in order. */
  readonly fields?: readonly DisplayField[];
}

export interface DisplayField {
  readonly label: string;
  readonly value: string;
}

export const displayLimits = { titleCharacters: 200, bodyBytes: 8192, fields: 32 } as const;

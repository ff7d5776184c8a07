/**
 * Call ids for a session, where each is used once: a provider's own id where it is free, else that id with a number.
 * Some servers send none.
 */
export interface CallIds {
  take(wanted: string | undefined): string;
}

const maxIdCharacters = 160;

export function createCallIds(): CallIds {
  const used = new Map<string, number>();
  return {
    take(wanted) {
      const id = wanted?.replaceAll("\0", "").slice(0, maxIdCharacters) || "call";
      const before = used.get(id) ?? 0;
      used.set(id, before + 1);
      return before === 0 ? id : `${id}~${before + 1}`;
    },
  };
}

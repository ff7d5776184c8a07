import { createMemoryStore } from "../../src/store/memory-store.ts";
import { testSessionStore } from "../../src/testing/session-store-suite.ts";

testSessionStore("in memory", async () => {
  const store = createMemoryStore();
  return { open: async () => store, remove: async () => undefined };
});

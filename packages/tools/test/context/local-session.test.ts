import { expect, it } from "vitest";
import { localSession, type LocalSessionOptions } from "../../src/context/local-session.ts";

it.each([
  ["{}", "localSession needs sessionId: a name of its own"],
  ['{"sessionId":"s","workspaceRoot":"/srv"}', "localSession needs environment: what resolveEnvironment gives"],
  ['{"sessionId":"s","workspaceRoot":"/srv","environment":{}}', "localSession needs backend: what platformBackend gives"],
])("a session from %s says which part is missing and where it comes from", async (json, text) => {
  const plain: LocalSessionOptions = JSON.parse(json);
  await expect(localSession(plain)).rejects.toThrow(text);
});

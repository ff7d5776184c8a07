import { mkdtempSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { listenMcpHttp, protocolApprover } from "@fencepost/adapters/mcp";
import { openSession } from "@fencepost/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const workspace = mkdtempSync(join(homedir(), "project-"));

// The server: 127.0.0.1 only, with a bearer token.
const session = await openSession({ workspace, approver: protocolApprover });
const server = await listenMcpHttp(session);

// A client of the MCP SDK. It declares that it can show forms, and is asked through them.
const client = new Client({ name: "my-client", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { decision: "deny" } }));
const headers = { Authorization: `Bearer ${server.token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));

console.log((await client.listTools()).tools.map(({ name }) => name).join());
// read,write,edit,grep,glob,list,bash

const written = await client.callTool({ name: "write", arguments: { path: "a.txt", content: "hello\n" } });
console.log(written.content);
// [ { type: 'text', text: 'Created a.txt (+1)' } ]

const paths = [{ path: ".env", access: "write", scope: "exact" }];
const asked = await client.callTool({
  name: "write",
  arguments: { path: ".env", content: "A=1\n", sandboxPermissions: { paths }, justification: "The tests need A." },
});
console.log(asked.isError);
// true
await client.close();
await server.close();
await session.close();

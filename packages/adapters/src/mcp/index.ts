export { listenMcpHttp, type HttpOptions, type HttpServing } from "./listen-http.ts";
export { mcpHttpHandler, type McpHttpHandler } from "./http-handler.ts";
export { mcpServerFactory, type McpOptions, type ServedSession } from "./mcp-server.ts";
export { protocolApprover } from "../shared/protocol-approver.ts";
export { serveMcpStdio, type StdioOptions, type StdioServing } from "./serve-stdio.ts";

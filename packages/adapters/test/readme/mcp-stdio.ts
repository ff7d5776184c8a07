import { protocolApprover, serveMcpStdio } from "@fencepost/adapters/mcp";
import { openSession } from "@fencepost/core";

const session = await openSession({ workspace: ".", approver: protocolApprover });
await serveMcpStdio(session).ended;
await session.close();

import type { ProgressEvent, ProgressSink } from "@fencepost/contract";
import type { ServerContext } from "@modelcontextprotocol/server";

/** The most that one notification says, in characters: the end of what came since the last. */
const maxMessageCharacters = 4_000;

/** The most that one call sends in all, in characters: a client that reads nothing makes the transport keep it. */
const maxSentCharacters = 1_000_000;

/**
 * Progress of one call to a client that asked for it. One notification is on its way at a time: what comes meanwhile
 * waits as one text, of which the end is kept. A client that does not read costs nothing and changes nothing.
 */
export function progressSink({ mcpReq }: Pick<ServerContext, "mcpReq">): ProgressSink | undefined {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let sent = 0;
  let waiting = "";
  let busy = false;
  let gone = false;
  let left = maxSentCharacters;

  const send = async (): Promise<void> => {
    busy = true;
    try {
      while (waiting !== "") {
        const message = waiting;
        waiting = "";
        sent += 1;
        left -= message.length;
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: sent, message } });
      }
    } catch {
      gone = true;
    }
    busy = false;
  };

  return ({ text }: ProgressEvent) => {
    if (gone || left <= 0) return;
    waiting = (waiting + text).slice(-maxMessageCharacters);
    if (!busy) void send();
  };
}

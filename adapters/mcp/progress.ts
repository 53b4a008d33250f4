import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from 'svc-sdk';

/** Sends progress to a client that requested it. */
export function progressListener({ mcpReq }: ServerContext): ((progress: Progress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let reached = Number.NEGATIVE_INFINITY;
  return (report) => {
    // The specification requires growing values, and a call that is sent again starts from the beginning.
    if (report.progress <= reached) return;
    reached = report.progress;
    // Rejects when the client has disconnected, which cancels the call anyway.
    mcpReq.notify({ method: 'notifications/progress', params: { ...report, progressToken } }).catch(() => {});
  };
}

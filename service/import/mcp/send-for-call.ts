/** Sends a request for a call, with the call's cancel, deadline and progress. */
import type { RequestOptions } from '@modelcontextprotocol/client';
import type { ActionContext } from 'svc-sdk';
import { LONGEST_TIMER_MS } from '#sdk/toolkit/timers';
import { BoundedProgress } from './bounded-progress';

export async function sendForCall<Answer>(ctx: ActionContext, send: (options: RequestOptions) => Promise<Answer>): Promise<Answer> {
  const bounded = new BoundedProgress(ctx.progress);
  try {
    return await send({
      signal: ctx.signal,
      // The signal ends it at the deadline; the client's default timeout is 60 s.
      timeout: LONGEST_TIMER_MS,
      onprogress: ({ progress, total, message }) =>
        bounded.add({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
    });
  } finally {
    bounded.end();
  }
}

/** The handler of an MCP tool: one `tools/call` with the deadline, the cancel and the progress of the call. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ActionContext, ActionHandler } from 'svc-sdk';
import { isObject } from '../../protocol/json-object';
import { LONGEST_TIMER_MS } from '../../toolkit/timers';
import { BoundedProgress } from './bounded-progress';
import type { Connection } from './connection';
import { readToolResult } from './tool-result';
import { toUpstreamError, UpstreamError } from './upstream-error';
import type { Upstreams } from './upstreams';

/** @param approved the fingerprint of the tool that the operator and the agents saw */
export function toolHandler(upstreams: Upstreams, original: string, approved: string): ActionHandler<unknown> {
  return async (ctx, payload) => {
    try {
      const upstream = upstreams.for(ctx);
      const answer = await untilAborted(
        ctx.signal,
        upstream.use((connection) => callTool(connection, { original, approved, ctx, payload })),
      );
      return readToolResult(ctx, answer);
    } catch (error) {
      const upstreamError = toUpstreamError(error);
      if (!(upstreamError instanceof UpstreamError)) throw error;
      throw ctx.error(upstreamError.code, upstreamError.message, upstreamError.options);
    }
  };
}

interface ToolCall {
  original: string;
  approved: string;
  ctx: ActionContext;
  payload: unknown;
}

async function callTool({ client, tools }: Connection, { original, approved, ctx, payload }: ToolCall): Promise<CallToolResult> {
  const listed = tools.get(original);
  // A server that starts again may be another version of it.
  if (listed?.fingerprint !== approved) {
    const message = `The MCP server ${listed ? 'changed' : 'no longer has'} its tool "${original}"; its operator has to look at it first`;
    throw new UpstreamError('UPSTREAM_CHANGED', message);
  }
  const bounded = new BoundedProgress(ctx.progress);
  try {
    return await client.callTool(
      { name: original, arguments: isObject(payload) ? payload : {} },
      {
        toolDefinition: listed.tool,
        signal: ctx.signal,
        // The signal ends it at the deadline; without a timeout the client's own would after 60 s.
        timeout: LONGEST_TIMER_MS,
        onprogress: ({ progress, total, message }) =>
          bounded.add({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
      },
    );
  } finally {
    bounded.end();
  }
}

/** A start may take longer than the call may wait, and goes on for the next one. */
async function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  work.catch(() => {});
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

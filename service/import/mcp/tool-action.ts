/** A tool of a server as an action: one `tools/call`, whose answer may be a task. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ActionContext } from 'svc-sdk';
import * as z from 'zod';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { LONGEST_TIMER_MS } from '#sdk/toolkit/timers';
import type { LeftOutPart } from '../imported-action';
import { BoundedProgress } from './bounded-progress';
import type { ListedTool } from './listed-tool';
import { type ServerAction, serverAction } from './server-action';
import { followTask, takesTasks, toolResult } from './server-task';
import { type TaskClient, taskOf } from './task-client';
import { metaOfResult } from './tool-meta';
import { readToolResult } from './tool-result';
import { toActionText } from './tool-text';

/** The result of a task that ends at the deadline has to be read. */
const READING_MS = 60_000;

/**
 * Throws for a schema that cannot be made smaller.
 *
 * @param onLeftOut called with each part that is left out
 */
export function toolAction(tool: ListedTool, onLeftOut: (part: LeftOutPart) => void): ServerAction {
  const { name } = tool;
  return serverAction(name, name, toActionText(tool, onLeftOut), async (client, ctx, payload, renew) => {
    const answer = await callTool(client, { tool, ctx, args: isObject(payload) ? payload : {}, renew });
    return ctx.result(readToolResult(ctx, answer), { meta: metaOfResult(answer) });
  });
}

interface ToolCall {
  tool: ListedTool;
  ctx: ActionContext;
  args: JsonObject;
  renew: (() => Promise<void>) | undefined;
}

async function callTool(client: TaskClient, { tool, ctx, args, renew }: ToolCall): Promise<CallToolResult> {
  const { signal } = ctx;
  const bounded = new BoundedProgress(ctx.progress);
  let hasProgress = false;
  let messages = 0;
  const { progressToken, end } = client.watchProgress((progress) => {
    hasProgress = true;
    bounded.add(progress);
  });
  const onMessage = (message: string) => {
    if (!hasProgress) bounded.add({ progress: ++messages, message });
  };
  try {
    const params = { name: tool.name, arguments: args, _meta: { progressToken } };
    const answer = await send(client, tool, params, ctx);
    const task = taskOf(answer);
    return task === undefined ? toolResult(answer) : await followTask(task, { client, signal, onMessage, renew });
  } finally {
    end();
    bounded.end();
  }
}

type CallParams = Parameters<TaskClient['callTool']>[0];

function send(client: TaskClient, { name, inputSchema, runsAsTask }: ListedTool, params: CallParams, ctx: ActionContext) {
  // The signal ends it at the deadline; the client's default timeout is 60 s.
  const options = { signal: ctx.signal, timeout: LONGEST_TIMER_MS };
  if (runsAsTask && takesTasks(client)) {
    const task = { ttl: Math.max(ctx.deadline.getTime() - Date.now(), 0) + READING_MS };
    return client.request({ method: 'tools/call', params: { ...params, task } }, z.looseObject({}), options);
  }
  // The client would refuse results that differ from the output schema, after the tool has run.
  return client.callTool(params, { ...options, toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' as const } } });
}

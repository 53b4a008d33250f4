/**
 * A tool that its server runs as a task: polled at the server's interval until it ends, and cancelled with its call.
 *
 * Shape:  revision 2025-11-25, `tasks/get`, then `tasks/result`; 2026-07-28, the extension of tasks, whose `tasks/get` has the result.
 * Errors: TOOL_ERROR for a task that failed, LINK_REQUIRED and TOOL_ERROR for one that asks for input, UPSTREAM_LOST for one that is out of reach.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  type Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { LONGEST_TIMER_MS } from '#sdk/toolkit/timers';
import { reasonOf } from '../reason-of';
import { UpstreamError } from './upstream-error';

interface Following {
  client: Client;
  signal: AbortSignal;
  /** Called with each new status message. */
  onMessage(message: string): void;
  /** Replaces the connection that the server refuses. */
  renew: (() => Promise<void>) | undefined;
}

interface FollowedTask extends Following {
  taskId: string;
  cancel(): void;
}

const DEFAULT_POLL_MS = 2_000;
/** A server may ask for any interval. */
const POLL_BOUNDS_MS = { least: 100, most: 60_000 };
const POLL_TIMEOUT_MS = 30_000;
/** A server may restart, and a network fail, during a long task. */
const PATIENCE_MS = 60_000;
const CANCEL_TIMEOUT_MS = 5_000;

const anyObject = z.looseObject({});

/** Whether the server of revision 2025-11-25 takes tool calls as tasks. Later revisions say so in each answer. */
export function takesTasks(client: Client): boolean {
  const { tasks } = client.getServerCapabilities() ?? {};
  return client.getProtocolEra() !== 'modern' && tasks?.requests?.tools?.call !== undefined;
}

/** @param created the task as the server answered the call */
export async function followTask(created: unknown, following: Following): Promise<CallToolResult> {
  if (!isObject(created) || typeof created.taskId !== 'string')
    throw new UpstreamError('TOOL_ERROR', 'The MCP server made a task without id');
  const { client, signal } = following;
  const { taskId } = created;
  const cancel = () => {
    client.request({ method: 'tasks/cancel', params: { taskId } }, anyObject, { timeout: CANCEL_TIMEOUT_MS }).catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await untilEnded(created, { ...following, taskId, cancel });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function untilEnded(created: JsonObject, following: FollowedTask): Promise<CallToolResult> {
  const { client, onMessage } = following;
  let task = created;
  for (let last: unknown; ; ) {
    const { status, statusMessage } = task;
    if (client.getProtocolEra() === 'modern') {
      if (status === 'input_required') following.cancel();
      const result = resultOf(task);
      if (result) return result;
    } else if (status !== 'working') return resultOfEarlier(task, following);
    if (typeof statusMessage === 'string' && statusMessage !== last) onMessage(statusMessage);
    last = statusMessage;
    task = await poll(following, pollMs(task));
  }
}

function pollMs({ pollIntervalMs, pollInterval = pollIntervalMs }: JsonObject): number {
  const wished = typeof pollInterval === 'number' ? pollInterval : DEFAULT_POLL_MS;
  return Math.min(Math.max(wished, POLL_BOUNDS_MS.least), POLL_BOUNDS_MS.most);
}

async function poll({ client, taskId, signal, renew }: FollowedTask, waitMs: number): Promise<JsonObject> {
  let isRenewed = false;
  const givesUpAt = performance.now() + waitMs + PATIENCE_MS;
  for (;;) {
    await sleep(waitMs, undefined, { signal });
    try {
      return await client.request({ method: 'tasks/get', params: { taskId } }, anyObject, { signal, timeout: POLL_TIMEOUT_MS });
    } catch (error) {
      signal.throwIfAborted();
      // A task may outlive the token with which it began.
      const isRefused = error instanceof SdkHttpError && error.status === 401;
      if (isRefused && renew && !isRenewed) {
        isRenewed = true;
        await renew();
        continue;
      }
      if (!mayPass(error) || performance.now() > givesUpAt)
        throw new UpstreamError('UPSTREAM_LOST', `The MCP server no longer answers about its task: ${reasonOf(error)}`);
    }
  }
}

/** Whether the same request may succeed later. */
function mayPass(error: unknown): boolean {
  if (error instanceof ProtocolError) return false;
  if (error instanceof SdkHttpError) return error.status === 429 || error.status >= 500;
  return error instanceof SdkError ? error.code === SdkErrorCode.RequestTimeout : true;
}

/** Undefined for a task that runs. */
function resultOf({ status, result, error, inputRequests }: JsonObject): CallToolResult | undefined {
  if (status === 'completed') return toolResult(result);
  if (status === 'failed')
    throw new UpstreamError('TOOL_ERROR', isObject(error) ? String(error.message) : 'The tool failed and gave no reason');
  if (status === 'cancelled') throw new UpstreamError('TOOL_ERROR', 'The MCP server cancelled the task');
  if (status === 'input_required') throw inputRequired(inputRequests);
  return undefined;
}

/** Waits for a task that asks for input: its server sends the question here, and the client refuses it. */
async function resultOfEarlier({ status, statusMessage }: JsonObject, { client, taskId, signal }: FollowedTask): Promise<CallToolResult> {
  if (status === 'cancelled')
    throw new UpstreamError('TOOL_ERROR', `The MCP server cancelled the task${statusMessage ? `: ${statusMessage}` : ''}`);
  return toolResult(await client.request({ method: 'tasks/result', params: { taskId } }, anyObject, { signal, timeout: LONGEST_TIMER_MS }));
}

function inputRequired(requests: unknown): UpstreamError {
  const asked = isObject(requests) ? Object.values(requests).filter(isObject) : [];
  const urls = asked.flatMap(({ params }) => (isObject(params) && typeof params.url === 'string' ? [params.url] : []));
  if (urls.length === 0) return new UpstreamError('TOOL_ERROR', 'The tool asks for input while it runs, which a toolkit cannot give');
  return new UpstreamError('LINK_REQUIRED', `The tool needs its user. Give the user this link: ${urls.join(' ')}`, { data: { urls } });
}

/** Throws for a result that is not one of a tool. */
export function toolResult(value: unknown): CallToolResult {
  const read = specTypeSchemas.CallToolResult['~standard'].validate(value);
  if (read.issues) throw new UpstreamError('TOOL_ERROR', `The MCP server answered in a way that is not MCP: ${read.issues[0]?.message}`);
  return read.value;
}

/**
 * Calls that run for long, or wait for a person, as tasks: for clients of revision 2026-07-28 that have the extension.
 *
 * Shape:  the id of a task is the handle of its call; `<handle>/<tool>` for a static tool, whose result has a shape of its own. Nothing is kept here.
 * Errors: -32602 for an unknown task. A call that failed is a task that completed with an error for the model.
 * Source: https://github.com/modelcontextprotocol/ext-tasks, revision 2026-07-28.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Server, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { SvcError, type ToolAnswer } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { approvalQuestions } from './ask-to-approve';
import { type ClientFeatures, featuresOf } from './client-features';
import { approvalOf, isOfLook } from './held-call';
import { isJsonObject } from './is-json-object';
import type { OfferedTools } from './offered-tools';
import { toResult } from './tool';

const INVOKE = 'invoke_service';
const POLL_MS = 2_000;
/** The service keeps a result as long after the end of its call. */
const TTL_MS = 24 * 60 * 60 * 1_000;
/** A handle begins with its kind and the time when it was made, in base 36. */
const HANDLE_TIME = /^[a-z]{3}_([0-9a-z]{9})/;

interface TaskParams {
  taskId: string;
}

const taskParams: StandardSchemaV1<unknown, TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'svc-sdk',
    validate: (value) =>
      isJsonObject(value) && typeof value.taskId === 'string'
        ? { value: { taskId: value.taskId } }
        : { issues: [{ message: 'taskId must be a text' }] },
  },
};

/** The answer to a call that became a task. */
export function createdTask(handle: string, tool: AgentTool, answer: ToolAnswer, client: ClientFeatures): CallToolResult {
  const taskId = tool.name === INVOKE ? handle : `${handle}/${tool.name}`;
  // The SDK passes on a result of another type, if it has content.
  return { resultType: 'task', content: [], ...detailedTask(taskId, tool, answer, client) };
}

export function serveTasks(server: Server, offered: OfferedTools): void {
  const schemas = { params: taskParams };
  server.setRequestHandler('tasks/get', schemas, async ({ taskId }, ctx) => {
    const { handle, name } = partsOf(taskId);
    const tool = await offered.find(name).catch(refuse);
    const answer = await tool?.answer(undefined, { handle, waitMs: 0, signal: ctx.mcpReq.signal });
    if (!tool || !answer) throw unknownTask();
    if (answer.error && isOfLook(answer.error)) refuse(answer.error);
    return detailedTask(taskId, tool, answer, featuresOf(server, ctx));
  });
  server.setRequestHandler('tasks/cancel', schemas, async ({ taskId }) => {
    await offered.cancel(partsOf(taskId).handle).catch(refuse);
    return {};
  });
  // People decide on the page of a question: its answer here says nothing.
  server.setRequestHandler('tasks/update', schemas, () => ({}));
}

function detailedTask(taskId: string, tool: AgentTool, answer: ToolAnswer, client: ClientFeatures): Record<string, unknown> {
  const [, time] = HANDLE_TIME.exec(taskId) ?? [];
  const now = new Date();
  return {
    taskId,
    ...stateOf(tool, answer, client),
    createdAt: (time === undefined ? now : new Date(Number.parseInt(time, 36))).toISOString(),
    lastUpdatedAt: now.toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  };
}

function stateOf(tool: AgentTool, answer: ToolAnswer, client: ClientFeatures): Record<string, unknown> {
  const { unfinished, error } = answer;
  const approval = unfinished?.approval ?? approvalOf(answer);
  if (approval) {
    const inputRequests = approvalQuestions(approval, client);
    const isAsked = Object.keys(inputRequests).length > 0;
    const where = approval.url === undefined ? '' : `: ${approval.url}`;
    return { status: isAsked ? 'input_required' : 'working', statusMessage: `Waits for a person's approval${where}`, inputRequests };
  }
  if (unfinished) return { status: 'working', ...messageOf(unfinished.progress) };
  if (error?.code === 'INVOCATION_CANCELLED') return { status: 'cancelled', statusMessage: error.message };
  return { status: 'completed', result: toResult(answer, tool) };
}

function messageOf(report: { progress: number; total?: number; message?: string } | undefined): { statusMessage?: string } {
  if (!report) return {};
  const { progress, total, message } = report;
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return { statusMessage: message === undefined ? count : `${count}: ${message}` };
}

function partsOf(taskId: string): { handle: string; name: string } {
  const [handle = '', name = INVOKE] = taskId.split('/');
  return { handle, name };
}

function unknownTask(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This client has no task with that id: a task is kept for 24 hours after its end',
  );
}

function refuse(error: unknown): never {
  if (!SvcError.is(error)) throw error;
  throw error.code === 'NOT_FOUND' ? unknownTask() : new ProtocolError(ProtocolErrorCode.InternalError, error.message, error.toJSON());
}

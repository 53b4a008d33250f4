/**
 * Asks a human with LangGraph's `interrupt()`.
 *
 * LangGraph runs a task again from its top after an answer, and assigns answers by the order of questions. So one question covers all
 * calls of a task, and an answer counts only for the calls that the checkpoint lists: those run, even if the call would mean something else by now.
 */
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { describeAction, describeCall, type ResolveResponse, SvcError } from 'svc-sdk';
import type { AgentTool, ApprovedCall } from 'svc-sdk/agent-tool';
import type { ActionRequest, ApprovalRequest } from './langgraph-request';
import { type Call, type GraphTask, graphTask } from './langgraph-task';
import { membersOf } from './members-of';

/** The call to run instead, or the answer for the model instead of a result. */
interface Approval extends ApprovedCall {
  input?: unknown;
  toolCallId?: string | undefined;
  idempotencyKey?: string | undefined;
  declined?: string;
}

/** @throws SvcError when no human can be asked, or the answer is not an approval; LangGraph's `GraphInterrupt` to ask */
export type Approve = (call: Call, config: ToolRunnableConfig) => Promise<Approval>;

/** The calls of one run of a task: the answers of a human about them, or whether each needs one. */
interface Round {
  answered?: [request: ActionRequest, answer: unknown][];
  decisions?: Map<Call, ReturnType<Decide>>;
}

/** Resolves with the call that a human has to approve, if it is one. */
type Decide = (call: Call) => Promise<ResolveResponse | undefined>;

export function approvals(tools: AgentTool[]): Approve {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const rounds = new WeakMap<object, Promise<Round>>();

  return async (call, config) => {
    const decide: Decide = async ({ name, args }) => (await byName.get(name)?.decide(args, config))?.needed;
    const task = graphTask(config);
    const [own, twin] = task?.calls.filter(({ id }) => id === call.id) ?? [];
    if (!task || twin) {
      if (await decide(call)) throw refusal(NO_CHECKPOINT);
    } else {
      const round = (own && rounds.get(task.run)) ?? askTogether(task, own ? task.calls : [call], decide);
      if (own) rounds.set(task.run, round);
      const { answered, decisions } = await round;
      const [request, answer] = answered?.find(([{ toolCallId }]) => toolCallId === call.id) ?? [];
      if (request) return applyAnswer(call, task, request, answer);
      if (await (decisions?.get(own ?? call) ?? decide(call))) throw refusal(STRAY);
    }
    return { input: call.args, toolCallId: call.id };
  };
}

async function applyAnswer(call: Call, task: GraphTask, request: ActionRequest, answer: unknown): Promise<Approval> {
  const { type, editedAction, message } = membersOf(answer);
  if (type === 'reject') return { declined: typeof message === 'string' && message ? message : 'Declined by a human' };
  const { name, args } = membersOf(type === 'approve' ? request : type === 'edit' && editedAction);
  if (name !== request.name || !args) throw refusal(NO_APPROVAL);
  const input = call.name === name ? args : { action: name, payload: args };
  const { payment, version: actionVersion } = request;
  return { input, approved: true, idempotencyKey: await keyOf(task, call, input), maxPayment: payment?.amount ?? '0', actionVersion };
}

/**
 * Makes an approved call run once: LangGraph may run a task again that has ended. Not left to `toolCallId`, because one UUID in a hundred does not
 * look random. Undefined in a page without a secure context, which has no `crypto.subtle`.
 */
async function keyOf(task: GraphTask, call: Call, input: unknown): Promise<string | undefined> {
  const text = new TextEncoder().encode(JSON.stringify([task.id, call.id, input]));
  const digest = await crypto.subtle?.digest('SHA-256', text);
  return digest && btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** A question ends the run of the task: `interrupt()` throws. When the task runs again, `interrupt()` returns the answer. */
async function askTogether(task: GraphTask, calls: Call[], decide: Decide): Promise<Round> {
  const { value, isAmbiguous } = await task.answered();
  const { actionRequests } = membersOf(value);
  const requests = Array.isArray(actionRequests) ? (actionRequests as ActionRequest[]) : [];
  if (requests.some(({ toolCallId }) => calls.some(({ id }) => id === toolCallId))) {
    const { decisions } = membersOf(isAmbiguous || (await interrupt(value)));
    const answers = Array.isArray(decisions) && decisions.length === requests.length ? decisions : [];
    return { answered: requests.map((request, index) => [request, answers[index]]) };
  }
  const decisions = new Map(calls.map((call) => [call, decide(call)]));
  // A call without a decision fails when it runs.
  const found = await Promise.all([...decisions].map(async ([{ id }, made]) => ({ id, ...(await made.catch(() => undefined)) })));
  const questions = found.filter((one): one is ResolveResponse & { id: string | undefined } => 'action' in one);
  if (questions.length > 0) await interrupt(toRequest(questions));
  return { decisions };
}

function toRequest(questions: (ResolveResponse & { id: string | undefined })[]): ApprovalRequest {
  return {
    actionRequests: questions.map(({ id, action, payload, version }) => ({
      name: action.action,
      args: payload,
      description: `${describeAction(action)}\n${describeCall({ action, payload })}`,
      toolCallId: id,
      ...(action.payment && { payment: action.payment }),
      ...(version !== undefined && { version }),
    })),
    reviewConfigs: questions.map(({ action }) => ({
      actionName: action.action,
      allowedDecisions: ['approve', 'edit', 'reject'],
      argsSchema: action.payloadSchema,
    })),
  };
}

async function interrupt(value: unknown): Promise<unknown> {
  // Loaded here, because only approval needs the package.
  const langgraph = await import('@langchain/langgraph').catch((cause) => {
    throw refusal('It needs approval: npm install @langchain/langgraph', { cause });
  });
  return langgraph.interrupt(value);
}

const refusal = (message: string, options?: ErrorOptions) => new SvcError('INVALID_REQUEST', message, {}, options);

const NO_CHECKPOINT = 'It needs approval: add a checkpointer and unique call ids, or needsApproval: false';
const NO_APPROVAL = 'It did not run: resume with {[interrupt.id]: {decisions: [{type}]}}';
const STRAY = 'It needs approval: the answer is about other calls';

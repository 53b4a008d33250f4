/**
 * Asks a human with LangGraph's `interrupt()`, in the words of LangChain's `humanInTheLoopMiddleware`.
 *
 * LangGraph runs a task again from its top when an answer has come, and hands answers out by the order of questions. So the calls of one task
 * are asked about together, and an answer counts only for what the checkpoint says was asked: that is run, whatever the call would mean by now.
 */
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { type ResolveResponse, SvcError } from 'svc-sdk';
import type { AgentTool } from 'svc-sdk/agent-tool';
import { type Call, type GraphTask, graphTask } from './graph-task';

/** The value of the interrupt: a `HITLRequest` of `langchain`, with ids. */
export interface ApprovalRequest {
  actionRequests: ActionRequest[];
  reviewConfigs: { actionName: string; allowedDecisions: ApprovalDecision['type'][]; argsSchema: Record<string, unknown> }[];
}

export interface ActionRequest {
  /** Action id. */
  name: string;
  /** The decoded payload. */
  args: Record<string, unknown>;
  /** What the action does. */
  description: string;
  toolCallId: string | undefined;
}

/** What the graph is resumed with, a `HITLResponse` of `langchain`: one decision for each of `actionRequests`, in their order. */
export interface ApprovalResponse {
  decisions: ApprovalDecision[];
}

export type ApprovalDecision =
  | { type: 'approve' }
  /** Another payload for the same action. */
  | { type: 'edit'; editedAction: { name: string; args: Record<string, unknown> } }
  /** The message is for the model. */
  | { type: 'reject'; message?: string };

/** What to run in place of the call, or what to tell the model. */
interface Approval {
  input?: unknown;
  toolCallId?: string | undefined;
  declined?: string;
}

/** @throws SvcError when nobody can be asked, or the answer is no approval; LangGraph's `GraphInterrupt` to ask */
export type Approve = (call: Call, config: ToolRunnableConfig) => Promise<Approval>;

/** What is known of the calls of one run of a task: what was decided about them, or what they would run that needs approval. */
interface Round {
  decided?: [request: ActionRequest, decision: unknown][];
  looked?: Map<Call, ReturnType<Look>>;
}

interface Question extends ResolveResponse {
  id: string | undefined;
}

type Look = (call: Call) => Promise<ResolveResponse | undefined>;

export function approvals(tools: AgentTool[]): Approve {
  const ours = new Map(tools.map((tool) => [tool.name, tool]));
  const rounds = new WeakMap<object, Promise<Round>>();

  return async (call, config) => {
    const look: Look = async ({ name, args }) => ours.get(name)?.approval(args, config);
    const task = graphTask(config);
    const [own, twin] = task?.calls.filter(({ id }) => id === call.id) ?? [];
    if (!task || twin) {
      if (await look(call)) throw refusal(NOBODY);
    } else {
      const round = (own && rounds.get(task.run)) ?? askTogether(task, own ? task.calls : [call], look);
      if (own) rounds.set(task.run, round);
      const { decided, looked } = await round;
      const [request, decision] = decided?.find(([{ toolCallId }]) => toolCallId === call.id) ?? [];
      if (request) {
        const { type, editedAction, message } = Object(decision);
        if (type === 'reject') return { declined: message || 'Declined by a human' };
        // What was approved, whatever the call would mean by now; and once, as LangGraph may run tasks again that have ended.
        const { name, args }: Partial<ActionRequest> = Object(type === 'approve' ? request : type === 'edit' && editedAction);
        if (name !== request.name || !args) throw refusal(NO_APPROVAL);
        return { input: call.name === name ? args : { action: name, payload: args }, toolCallId: `${call.id}:${task.id}` };
      }
      if (await (looked?.get(own ?? call) ?? look(call))) throw refusal(STRAY);
    }
    return { input: call.args, toolCallId: call.id };
  };
}

/** A question ends the run of the task: `interrupt()` throws. When the task runs again, it gives the answer. */
async function askTogether(task: GraphTask, calls: Call[], look: Look): Promise<Round> {
  const { value, isAmbiguous } = await task.answered();
  const requests: ActionRequest[] = Object(value).actionRequests ?? [];
  if (requests.some(({ toolCallId }) => calls.some(({ id }) => id === toolCallId))) {
    const { decisions } = Object(isAmbiguous || (await interrupt(value)));
    return { decided: requests.map((request, index) => [request, decisions?.length === requests.length && decisions[index]]) };
  }
  const looked = new Map(calls.map((call) => [call, look(call)]));
  // A call that cannot be made is no question: it is told why when its turn comes.
  const found = await Promise.all([...looked].map(async ([{ id }, look]) => ({ id, ...(await look.catch(() => undefined)) })));
  const questions = found.filter((one): one is Question => 'action' in one);
  if (questions.length > 0) {
    await interrupt({
      actionRequests: questions.map(({ id, action: { action, description }, payload }) => ({
        name: action,
        args: payload,
        description,
        toolCallId: id,
      })),
      reviewConfigs: questions.map(({ action }) => ({
        actionName: action.action,
        allowedDecisions: ['approve', 'edit', 'reject'],
        argsSchema: action.payloadSchema,
      })),
    } satisfies ApprovalRequest);
  }
  return { looked };
}

async function interrupt(value: unknown): Promise<unknown> {
  // Not at the top: only who asks for approval needs it.
  const langgraph = await import('@langchain/langgraph').catch((cause) => {
    throw refusal('It needs approval: npm install @langchain/langgraph', { cause });
  });
  return langgraph.interrupt(value);
}

const refusal = (message: string, options?: ErrorOptions) => new SvcError('INVALID_REQUEST', message, {}, options);

const NOBODY = 'It needs approval: add a checkpointer and unique call ids, or needsApproval: false';
const NO_APPROVAL = 'It did not run: resume with {[interrupt.id]: {decisions: [{type}]}}';
const STRAY = 'It needs approval: the answer is about others';

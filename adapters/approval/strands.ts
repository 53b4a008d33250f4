/**
 * Asks a human with an interrupt of Strands, which runs the tool again from its top after the answer.
 *
 * An answer counts for the call that the human saw, which is in the reason of the interrupt: Strands gives one answer to all calls of a message that
 * share an id, and the call may mean something else by now.
 */
import type { JSONValue, ToolContext } from '@strands-agents/sdk';
import { describeAction, describeCall, SvcError } from 'svc-sdk';
import type { AgentTool, ApprovedCall } from 'svc-sdk/agent-tool';

const NAME = 'svc-sdk';

/** The `reason` of an interrupt. */
export interface StrandsQuestion {
  toolUseId: string;
  tool: string;
  /** The arguments of the model. */
  input: JSONValue;
  /** The call that would run. */
  action: string;
  payload: JSONValue;
  /** The same for a human to read, with the price. */
  description: string;
  /** The call as it runs after a yes. */
  callOptions: JSONValue;
}

/** The interrupts of an agent, as its snapshot has them. Those of others have other reasons. */
interface Asked {
  name: string;
  reason?: StrandsQuestion;
  response?: JSONValue;
}

/** @throws Strands' `InterruptError` to ask; SvcError when the human said no, or was not asked about this call, or the service does not answer */
export async function approveByInterrupt(tool: AgentTool, context: ToolContext): Promise<ApprovedCall> {
  const { toolUse, cancelSignal: signal } = context;
  const { toolUseId, input } = toolUse;
  const { reason: seen, response } = answered(context) ?? {};
  if (seen && seen.tool === tool.name && JSON.stringify(seen.input) === JSON.stringify(input)) {
    if (isYes(response)) return seen.callOptions as ApprovedCall;
    throw refusal('A human said no: it did not run.');
  }
  const { needed, callOptions } = await tool.decide(input, { signal });
  if (!needed) return {};
  if (seen) throw refusal('It needs approval, and its id is that of another call: make it again.');
  const { action, payload } = needed;
  const reason = {
    toolUseId,
    tool: tool.name,
    input,
    action: action.action,
    payload: payload as JSONValue,
    description: `${describeAction(action)}\n${describeCall({ action, payload })}`,
    callOptions: JSON.parse(JSON.stringify(callOptions)),
  } satisfies StrandsQuestion;
  context.interrupt({ name: NAME, reason });
  // Only a run outside of an agent comes here: there the answer is not about this question.
  throw refusal('It needs approval, and no human could be asked.');
}

function answered({ agent, toolUse: { toolUseId } }: ToolContext): Asked | undefined {
  const { interrupts } = agent.takeSnapshot({ include: ['interrupts'] }).data as { interrupts?: { interrupts: object } | null };
  const all: Asked[] = Object.values(interrupts?.interrupts ?? {});
  return all.find(({ name, reason, response }) => name === NAME && response !== undefined && reason?.toolUseId === toolUseId);
}

/** The answers that Strands' own `confirm` takes for a yes. */
function isYes(response: JSONValue | undefined): boolean {
  return response === true || (typeof response === 'string' && /^\s*y(es)?\s*$/i.test(response));
}

const refusal = (message: string) => new SvcError('INVALID_REQUEST', message);

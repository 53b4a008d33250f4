/**
 * Asks a human with a tool confirmation of ADK, which runs the tool again after the answer.
 *
 * An answer counts for the call that the human saw, which is in the events of the session: the call may mean something else by now.
 */
import type { Context } from '@google/adk';
import { describeAction, describeCall, SvcError } from 'svc-sdk';
import type { AgentTool, ApprovedCall } from 'svc-sdk/agent-tool';

/** The `payload` of a tool confirmation. Its `hint` is the text for the human. */
export interface AdkQuestion {
  /** The call that would run. */
  action: string;
  payload: Record<string, unknown>;
  /** The arguments of the model. */
  args: Record<string, unknown>;
  /** The call as it runs after a yes. */
  callOptions: ApprovedCall;
}

/** @throws SvcError when the human was not asked about this call, or the service does not answer; the reason of the signal */
export async function approveByConfirmation(
  tool: AgentTool,
  args: Record<string, unknown>,
  context: Context,
): Promise<ApprovedCall | { refused: string }> {
  const { toolConfirmation, abortSignal: signal } = context;
  if (toolConfirmation) {
    if (!toolConfirmation.confirmed) return { refused: 'A human said no: it did not run.' };
    const seen = questionOf(context);
    if (seen && JSON.stringify(seen.args) === JSON.stringify(args)) return seen.callOptions;
    throw refusal('It did not run: the answer of the human is about another call.');
  }
  const { needed, callOptions } = await tool.decide(args, { signal });
  if (!needed) return {};
  const { action, payload } = needed;
  const question: AdkQuestion = { action: action.action, payload, args, callOptions };
  context.requestConfirmation({ hint: `${describeAction(action)}\n${describeCall({ action, payload })}`, payload: question });
  // The model gets no turn before the answer.
  context.actions.skipSummarization = true;
  return { refused: 'It waits for the answer of a human.' };
}

/** The question about this call, as the events of the session have it. */
export function questionOf({ functionCallId = '', invocationContext }: Context): AdkQuestion | undefined {
  const asked = invocationContext.session.events.findLast(({ actions }) => actions.requestedToolConfirmations[functionCallId]);
  return asked?.actions.requestedToolConfirmations[functionCallId]?.payload as AdkQuestion | undefined;
}

const refusal = (message: string) => new SvcError('INVALID_REQUEST', message);

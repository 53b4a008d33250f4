/**
 * Asks for the decision about a call, or waits for it, in rounds: the client of revision 2026-07-28 makes the same call again after each, with a
 * timeout of its own.
 *
 * Rule: people decide on the page of the console. A form asks the client's user where a rule lets the application decide, and the call's agent key
 *       decides: no model answers an elicitation.
 */
import {
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type DecideRequest, describeCall, type RequiredApproval, type ResolveResponse } from 'svc-sdk';
import type { ClientFeatures } from './client-features';

const PAGE = 'approve';
const FORM = 'decide';

export type InputRequests = Record<string, InputRequest>;

/** The questions that this client can put to its user. Empty: it only waits. */
export function approvalQuestions(
  { url, decidedBy }: RequiredApproval,
  { page, form }: ClientFeatures,
  resolved?: ResolveResponse,
): InputRequests {
  if (decidedBy === 'app' && form && resolved) return { [FORM]: decisionForm(resolved) };
  if (url === undefined || !page) return {};
  return { [PAGE]: inputRequired.elicitUrl({ message: 'A person has to approve this call: on this page', url }) };
}

/** The next round of the call. */
export function askToApprove(questions: InputRequests, requestState: string): InputRequiredResult {
  return inputRequired({ ...(Object.keys(questions).length > 0 && { inputRequests: questions }), requestState });
}

/** Undefined without an answer to the form. A user who closes it decides nothing. */
export function readDecision(inputResponses: ServerContext['mcpReq']['inputResponses']): DecideRequest | undefined {
  const answer = inputResponse(inputResponses, FORM);
  if (answer.kind !== 'elicit' || answer.action === 'cancel') return undefined;
  const isApproval = answer.action === 'accept' && answer.content?.decision === 'approve';
  return { decision: isApproval ? 'approve' : 'deny' };
}

/** Shows the whole call as the service understood it: that is what would run. */
function decisionForm(resolved: ResolveResponse): InputRequest {
  return inputRequired.elicit({
    message: `May this run? ${describeCall(resolved, Number.MAX_SAFE_INTEGER)}`,
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', enum: ['approve', 'deny'] } },
      required: ['decision'],
    },
  });
}

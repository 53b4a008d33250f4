/** Decides which calls a human has to approve. The service holds the same rules when a call runs, whatever the framework did before. */
import { type CallerAsk, type CallToolOptions, type ResolveResponse, SvcError, type SvcErrorCode } from 'svc-sdk';
import type { NeedsApproval, ToolsLike } from './options';

export const NOT_APPROVED =
  'This call needs approval, and no human approved exactly this call: make it again with a new id and only the arguments that the tool takes. ' +
  'A program with its own approval sets needsApproval: false';

const RUN_CODE = 'run_code';

/** The service refuses a call with one of these before it runs. Any other error leaves open what the call would do. */
const REFUSED_BEFORE_RUN: ReadonlySet<SvcErrorCode> = new Set<SvcErrorCode>([
  'INVALID_REQUEST',
  'INVALID_PAYLOAD',
  'REQUEST_TOO_LARGE',
  'ACTION_NOT_FOUND',
  'ACTION_NOT_ALLOWED',
  'INVALID_KEY',
  'KEY_EXPIRED',
  'KEY_REVOKED',
  'WRONG_KEY_KIND',
  'PAYMENT_REQUIRED',
  'CONNECTION_REQUIRED',
  'APPROVAL_DENIED',
]);

/** The rules of a program for the calls of one tool. */
export interface ApprovalRules {
  tools: ToolsLike;
  name: string;
  needsApproval: NeedsApproval | undefined;
  askAbove: string | undefined;
}

/** Options of a call that a human has approved. */
export interface ApprovedCall extends Pick<CallToolOptions, 'maxPayment' | 'actionVersion'> {
  /**
   * True for a call that a human has approved. The approval covers the question that the decision made; with `actionVersion`, also a question that is
   * newer, because the human has seen the same call.
   */
  approved?: boolean | undefined;
}

export interface Decision {
  /** The call that a human has to approve before it runs. Undefined: it needs no approval, or others decide about it. */
  needed: ResolveResponse | undefined;
  /** Options of the call once the human has approved it: the action that was shown, for at most its price. Empty without a question. */
  callOptions: ApprovedCall;
}

/** The rules as the service reads them. Undefined for a tool without. */
function askOf({ name, needsApproval, askAbove }: ApprovalRules): CallerAsk | undefined {
  if (name === 'search_services' || (needsApproval === false && askAbove === undefined)) return undefined;
  return {
    ...(needsApproval === true ? { always: true } : needsApproval !== false && { destructive: true }),
    ...(askAbove !== undefined && { above: askAbove }),
  };
}

/** @throws SvcError when the service does not answer; the reason of `signal` */
export async function decide(rules: ApprovalRules, input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<Decision> {
  const ask = askOf(rules);
  // The calls of a program are known while it runs: the service asks about each then.
  if (!ask || rules.name === RUN_CODE) return { needed: undefined, callOptions: {} };
  const resolve = (asking: CallerAsk) => rules.tools.resolve(rules.name, input, { signal: options?.signal, ask: asking });
  try {
    let resolved = await resolve(ask);
    if (!resolved.approval && (await isChosenBy(rules, resolved))) resolved = await resolve({ always: true });
    // A service before 0.14 holds no rules, and gives no version: there a human decides about every call.
    const isAsked = resolved.approval?.decidedBy === 'app' || resolved.version === undefined;
    if (!isAsked) return { needed: undefined, callOptions: {} };
    const maxPayment = resolved.action.payment?.amount ?? '0';
    return { needed: resolved, callOptions: { approved: true, maxPayment, actionVersion: resolved.version } };
  } catch (error) {
    // The model gets the error when the call runs, or the kept result of an earlier run.
    if (SvcError.is(error) && REFUSED_BEFORE_RUN.has(error.code)) return { needed: undefined, callOptions: {} };
    throw error;
  }
}

/** The rules to which the service holds a call. A function of the program decides about the call that would run now, and no other version of it runs. */
export async function holding(
  rules: ApprovalRules,
  input: unknown,
  { signal, approved }: CallToolOptions & ApprovedCall,
): Promise<Pick<CallToolOptions, 'ask' | 'actionVersion'>> {
  const ask = askOf(rules);
  if (!ask || typeof rules.needsApproval !== 'function') return { ask };
  if (approved || rules.name === RUN_CODE) return { ask: { always: true } };
  try {
    const resolved = await rules.tools.resolve(rules.name, input, { signal });
    if (!(await isChosenBy(rules, resolved))) return { ask, actionVersion: resolved.version };
  } catch (error) {
    if (!SvcError.is(error)) throw error;
  }
  return { ask: { always: true } };
}

async function isChosenBy({ needsApproval }: ApprovalRules, { action, payload }: ResolveResponse): Promise<boolean> {
  return typeof needsApproval === 'function' && (await needsApproval(action.action, payload, action));
}

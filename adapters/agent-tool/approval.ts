/** Decides which calls a human has to approve. */
import { type ActionInfo, type ResolveResponse, SvcError, type SvcErrorCode } from 'svc-sdk';
import { type CallLimits, isAbove } from './decisions';
import type { NeedsApproval, ToolsLike } from './options';

export const NOT_APPROVED =
  'This call needs approval, and no human approved exactly this call: make it again with a new id and only the arguments that the tool takes. ' +
  'A program with its own approval sets needsApproval: false';

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
]);

export interface Decision {
  /** The call that a human has to approve before it runs. Undefined: it needs no approval. */
  needed: ResolveResponse | undefined;
  /**
   * Options of the call that follows, also without a question. It runs the action of this decision, for at most its price, or for `askAbove` when
   * it needs no approval; after a refusal it runs nothing.
   */
  callOptions: CallLimits;
}

interface Asked {
  tools: ToolsLike;
  name: string;
  needsApproval: NeedsApproval | undefined;
  askAbove: string | undefined;
}

/** @throws SvcError when the service does not answer; the reason of `signal` */
export async function decide(asked: Asked, input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<Decision> {
  const { tools, name, needsApproval, askAbove } = asked;
  if (name === 'search_services' || (needsApproval === false && askAbove === undefined)) return { needed: undefined, callOptions: {} };
  let resolved: ResolveResponse;
  try {
    resolved = await tools.resolve(name, input, options);
  } catch (error) {
    if (!SvcError.is(error) || !REFUSED_BEFORE_RUN.has(error.code)) throw error;
    // The model gets the error when the call runs, or the kept result of an earlier run. A human must see a price first.
    const maxPayment = error.code === 'PAYMENT_REQUIRED' ? '0' : askAbove;
    return { needed: undefined, callOptions: { maxPayment, actionVersion: 'none' } };
  }
  const needed = (await needsHuman(asked, resolved)) ? resolved : undefined;
  return { needed, callOptions: { maxPayment: needed ? shownPrice(needed) : askAbove, actionVersion: resolved.version } };
}

async function needsHuman({ needsApproval, askAbove }: Asked, { action, payload }: ResolveResponse): Promise<boolean> {
  const chosen = typeof needsApproval === 'function' ? await needsApproval(action.action, payload, action) : needsApproval;
  const destroys = action.annotations?.destructive && needsApproval !== false;
  const isDear = askAbove !== undefined && isAbove(shownPrice({ action }), askAbove);
  return Boolean(chosen || destroys || isDear);
}

/** The most that a call may cost after its approval. */
function shownPrice({ action }: { action: Pick<ActionInfo, 'payment'> }): string {
  return action.payment?.amount ?? '0';
}

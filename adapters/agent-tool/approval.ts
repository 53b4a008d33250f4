/** Decides which calls a human has to approve. */
import type { ActionInfo, ResolveResponse, SvcErrorCode } from 'svc-sdk';
import type { NeedsApproval, ToolsLike } from './options';
import { isAbove } from './price-limits';

export const NOT_APPROVED =
  'This call needs approval, and nobody approved exactly this call: make it again with a new id and only the arguments that the tool takes. ' +
  'A program that asks by itself sets needsApproval: false';

/** The service refuses a call with one of these before it runs. Any other error says nothing about what the call would do. */
export const REFUSED_BEFORE_RUN: ReadonlySet<SvcErrorCode> = new Set<SvcErrorCode>([
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

interface Asked {
  tools: ToolsLike;
  name: string;
  needsApproval: NeedsApproval | undefined;
  askAbove: string | undefined;
}

export async function findApproval(
  { tools, name, needsApproval, askAbove }: Asked,
  input: unknown,
  options?: { signal?: AbortSignal | undefined },
): Promise<ResolveResponse | undefined> {
  if (name === 'search_services' || (needsApproval === false && askAbove === undefined)) return undefined;
  const resolved = await tools.resolve(name, input, options);
  const { action, payload } = resolved;
  const chosen = typeof needsApproval === 'function' ? await needsApproval(action.action, payload, action) : needsApproval;
  const destroys = action.annotations?.destructive && needsApproval !== false;
  const isDear = askAbove !== undefined && isAbove(shownPrice({ action }), askAbove);
  return chosen || destroys || isDear ? resolved : undefined;
}

/** The most that a call may cost after a human saw this. */
export function shownPrice({ action }: { action: Pick<ActionInfo, 'payment'> }): string {
  return action.payment?.amount ?? '0';
}

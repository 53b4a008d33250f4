/** The limits and the number of keys that a principal may have. */
import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from '../../accounts/principal';
import { isActive, type KeyRing } from '../../keys/key-ring';

/** More active keys than a person can distinguish. */
const MAX_MEMBER_KEYS = 200;

/** A budget is the owners' money. */
export function requireBudgetRight({ role }: Principal, { budget }: { budget?: unknown }): void {
  if (role === 'owner' || budget === undefined) return;
  throw new SvcError(
    'NOT_PERMITTED',
    'Only owners may give a key a budget, change it or take it away: leave budget out, and ask one of them',
  );
}

/** Programs take memory and time of the service itself. */
export function requireCodeRight({ role }: Principal, { code }: { code?: unknown }): void {
  if (role === 'owner' || code === undefined) return;
  throw new SvcError('NOT_PERMITTED', 'Only owners may let a key run code, or take that away: leave code out, and ask one of them');
}

/** The check is not atomic, so concurrent requests may exceed the limit slightly; it only bounds the store. */
export async function requireMoreKeys({ role, id }: Principal, keys: Pick<KeyRing, 'records'>): Promise<void> {
  if (role === 'owner' || (await keys.records(id)).filter((key) => isActive(key)).length < MAX_MEMBER_KEYS) return;
  throw new SvcError('NOT_PERMITTED', `A member may have ${MAX_MEMBER_KEYS} active keys: revoke some, or ask an owner to create the key`);
}

/**
 * The header in which an API takes the key of a call, so that a call that is sent again runs once. Its value is the call's own key, and no model
 * makes one up.
 */
import { createHash } from 'node:crypto';
import type { ActionContext } from 'svc-sdk';
import type { OperationParameter } from './operations';

const LOWER_CASE_NAMES = new Set(['idempotency-key', 'x-idempotency-key']);

export function isIdempotencyHeader({ in: place, name }: OperationParameter): boolean {
  return place === 'header' && LOWER_CASE_NAMES.has(name.toLowerCase());
}

/**
 * A UUID, which every API takes. It is the same whenever the call with this key is sent again. The keys of two agents differ, also when the agents
 * chose the same: the API knows all agents as one client.
 */
export function idempotencyValue({ agentId, idempotencyKey }: Pick<ActionContext, 'agentId' | 'idempotencyKey'>): string {
  const hash = createHash('sha256').update(`${agentId} ${idempotencyKey}`).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, variant + hash.slice(17, 20), hash.slice(20, 32)].join('-');
}

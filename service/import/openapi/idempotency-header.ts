/** The header of an API's idempotency key, so that a repeated call runs once. Its value is the call's key; models cannot set it. */
import { createHash } from 'node:crypto';
import type { ActionContext } from 'svc-sdk';
import type { OperationParameter } from './operations';

const LOWER_CASE_NAMES = new Set(['idempotency-key', 'x-idempotency-key']);

export function isIdempotencyHeader({ in: place, name }: OperationParameter): boolean {
  return place === 'header' && LOWER_CASE_NAMES.has(name.toLowerCase());
}

/**
 * A UUID, which every API accepts. Equal for each repeat of the call with this key. The keys of two agents differ, even if the agents chose the
 * same one: for the API, all agents are one client.
 */
export function idempotencyValue({ agentId, idempotencyKey }: Pick<ActionContext, 'agentId' | 'idempotencyKey'>): string {
  const hash = createHash('sha256').update(`${agentId} ${idempotencyKey}`).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  return [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, variant + hash.slice(17, 20), hash.slice(20, 32)].join('-');
}

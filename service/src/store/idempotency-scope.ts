/** The agent key id and the idempotency key of a call as one text. Of two calls with the same scope, one runs. */
import type { InvocationStart } from './store';

export function idempotencyScope(agentKeyId: string, idempotencyKey: string): string {
  return `${agentKeyId} ${idempotencyKey}`;
}

/** Undefined for a call without an idempotency key. */
export function scopeOf({ agentKeyId, idempotencyKey }: Pick<InvocationStart, 'agentKeyId' | 'idempotencyKey'>): string | undefined {
  return idempotencyKey === null ? undefined : idempotencyScope(agentKeyId, idempotencyKey);
}

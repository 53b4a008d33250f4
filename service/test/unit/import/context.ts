/** A handler's context, for tests of its parts. */
import type { ActionContext } from 'svc-sdk';
import { ActionError } from '#sdk/toolkit/action-error';

/** @param more such as the connection of the call */
export function context(signal = new AbortController().signal, more: Partial<ActionContext> = {}): ActionContext {
  const error: ActionContext['error'] = (code, message, options) => new ActionError(code, message, options);
  const result: ActionContext['result'] = (value) => value;
  return { signal, error, result, agentId: 'agent_1', idempotencyKey: 'key-1', ...more } as Partial<ActionContext> as ActionContext;
}

/** A handler's context, for tests of its parts. */
import type { ActionContext } from 'svc-sdk';
import { ActionError } from '#sdk/toolkit/action-error';

export function context(signal = new AbortController().signal): ActionContext {
  const error: ActionContext['error'] = (code, message, options) => new ActionError(code, message, options);
  const result: ActionContext['result'] = (value) => value;
  return { signal, error, result, agentId: 'agent_1', idempotencyKey: 'key-1' } as Partial<ActionContext> as ActionContext;
}

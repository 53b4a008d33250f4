/** `POST /v1/resolve`: returns the action and payload that an invoke would run, for an approval before the call. docs/protocol.md section 5. */
import { PATHS } from '../../protocol/http';
import { invokeRequest, resolveResponse } from '../../protocol/schemas';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';

export const resolveRoute = defineRoute({
  id: 'resolveAction',
  summary: 'Show the action and payload that an invoke would run',
  method: 'POST',
  path: PATHS.resolve,
  access: 'agent',
  // Models write it, so the calls decode it.
  body: { documentedBy: invokeRequest },
  answer: resolveResponse,
  handle: async ({ key, body }, { calls }: AppDeps) => calls.resolve(key, body),
});

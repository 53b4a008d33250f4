/** `POST /v1/resolve`: returns the action and payload that an invoke would run, for an approval before the call. docs/protocol.md section 5. */
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { invokeRequest, resolveResponse } from '#sdk/protocol/schemas';
import { readCallerIds } from '../keys/caller-ids';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { sessionId, userId } from './documented-headers';

export const resolveRoute = defineRoute({
  id: 'resolveAction',
  summary: 'Show the action and payload that an invoke would run',
  method: 'POST',
  path: PATHS.resolve,
  access: 'agent',
  headers: [userId, sessionId],
  // Models write the payload, so the calls decode it.
  body: { documentedBy: invokeRequest },
  answer: resolveResponse,
  async handle({ context, key, body }, { calls }: AppDeps) {
    const callerIds = readCallerIds(context.req.header(HEADERS.sessionId), context.req.header(HEADERS.userId));
    return calls.resolve({ key, body, callerIds });
  },
});

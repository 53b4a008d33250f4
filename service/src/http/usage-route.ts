/** `POST /v1/usage`: the tokens of a turn that no call follows. docs/protocol.md section 5. */
import { SvcError } from '#sdk/protocol/errors';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { sessionId, usage, userId } from './documented-headers';

export const usageRoute = defineRoute({
  id: 'reportUsage',
  summary: 'Report the tokens that a model used in a session',
  method: 'POST',
  path: PATHS.usage,
  access: 'agent',
  headers: [usage, sessionId, userId],
  handle({ context: { req }, key }, { usageReports }: AppDeps) {
    const header = (name: string) => req.header(name);
    if (header(HEADERS.usage) === undefined)
      throw new SvcError('INVALID_REQUEST', 'Send the tokens in the header Svc-Usage: "gpt-6";id="u1";input=1200;output=86');
    usageReports.take(key, { usage: header(HEADERS.usage), sessionId: header(HEADERS.sessionId), userId: header(HEADERS.userId) });
  },
});

/** `POST /v1/tokens`: a server with an agent key creates a short-lived token for a page. docs/protocol.md section 7. */
import { PATHS } from '#sdk/protocol/http';
import { createdToken } from '#sdk/protocol/schemas';
import { newToken } from '../keys/new-token';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';

export const tokenRoute = defineRoute({
  id: 'createToken',
  summary: 'Create a short-lived token for a page or an app; needs an agent key, not a token',
  method: 'POST',
  path: PATHS.tokens,
  access: 'agent key',
  body: newToken,
  answer: createdToken,
  status: 201,
  async handle({ context, key, body }, { tokens }: AppDeps) {
    const created = await tokens.mint(key, body);
    context.header('cache-control', 'no-store');
    return created;
  },
});

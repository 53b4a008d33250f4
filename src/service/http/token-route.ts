/** `POST /v1/tokens`: a short-lived token for a page, made by a server with its agent key. docs/protocol.md section 7. */
import { Hono } from 'hono';
import { type CreatedToken, PATHS } from '../../protocol/http';
import { newToken } from '../keys/new-token';
import type { AppDeps } from './app-deps';
import { jsonBody } from './json-body';
import type { RequestEnv } from './request-env';

export function tokenRoute({ gate, tokens, limits }: AppDeps): Hono<RequestEnv> {
  return new Hono<RequestEnv>().post(PATHS.tokens, async (context) => {
    const { req, header } = context;
    const key = await gate.admitKey(req.header('authorization'), (name, value) => header(name, value));
    const created = await tokens.mint(key, await jsonBody(context, newToken, limits));
    context.header('cache-control', 'no-store');
    return context.json<CreatedToken>(created, 201);
  });
}

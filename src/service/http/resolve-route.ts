/** `POST /v1/resolve`: what an invoke would run, before anybody decides whether it may. docs/protocol.md section 5. */
import { Hono } from 'hono';
import { PATHS, type ResolveResponse } from '../../protocol/http';
import type { AppDeps } from './app-deps';
import { anyJsonBody } from './json-body';
import { admit, type RequestEnv } from './request-env';

export function resolveRoute({ gate, calls, limits }: AppDeps): Hono<RequestEnv> {
  return new Hono<RequestEnv>().post(PATHS.resolve, async (context) => {
    const key = await admit(context, gate);
    return context.json<ResolveResponse>(calls.resolve(key, await anyJsonBody(context, limits)));
  });
}

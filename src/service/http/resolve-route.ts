/** `POST /v1/resolve`: what an invoke would run, before anybody decides whether it may. docs/protocol.md section 5. */
import { Hono } from 'hono';
import { PATHS, type ResolveResponse } from '../../protocol/http';
import type { AppParts } from './app-parts';
import type { NodeEnv } from './json-body';
import { readJson } from './read-body';

export function resolveRoute({ gate, invoker, limits }: AppParts): Hono<NodeEnv> {
  return new Hono<NodeEnv>().post(PATHS.resolve, async (context) => {
    const key = await gate.admit(context.req.header('authorization'), (name, value) => context.header(name, value));
    const body = await readJson(context.env.incoming, limits.requestBodyBytes);
    return context.json<ResolveResponse>(invoker.resolve(key, body));
  });
}

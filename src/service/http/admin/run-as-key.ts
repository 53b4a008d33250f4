/**
 * `POST /v1/keys/:id/search`, `/invoke`, `/resolve`: what an agent with that key would be answered, byte by byte, for those who manage the key.
 * Its scope, its rate and its records count as if the agent had asked.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { SvcError } from '../../../protocol/errors';
import { PATHS } from '../../../protocol/http';
import { usable } from '../../keys/key-ring';
import type { KeyRecord } from '../../store/store';
import type { AppParts } from '../app-parts';
import { InvokeRoute } from '../invoke-route';
import type { RequestEnv } from '../request-env';
import { type AdminEnv, signedIn } from './admin-env';
import { requireKey } from './visibility';

/** A request to the app itself, by a caller that was let in. */
export type Dispatch = (request: Request, env: RequestEnv['Bindings']) => Response | Promise<Response>;

export function runAsKeyRoutes(parts: AppParts, dispatch: Dispatch): Hono<AdminEnv> {
  const { keys, gate } = parts;
  const invokeRoute = new InvokeRoute(parts);
  const app = new Hono<AdminEnv>();
  const as = (path: string) => `${PATHS.keys}/:id${path.slice('/v1'.length)}` as const;

  const keyOf = async (context: Context<AdminEnv>): Promise<KeyRecord> =>
    usable(await requireKey(context.get('principal'), keys, context.req.param('id') ?? ''), 'agent');

  for (const path of [PATHS.search, PATHS.resolve]) {
    app.post(as(path), signedIn(parts, 'try'), async (context) => {
      const key = await keyOf(context);
      await gate.charge(key, (name, value) => context.header(name, value));
      const { url, headers } = context.req.raw;
      const answer = await dispatch(new Request(new URL(path, url), { method: 'POST', headers }), { ...context.env, key });
      return context.newResponse(answer.body, answer);
    });
  }

  app.post(as(PATHS.invoke), signedIn(parts, 'try'), async (context) => {
    const key = await keyOf(context);
    const { env } = context;
    if (!('incoming' in env)) throw new SvcError('INVALID_REQUEST', 'Calls as a key come over HTTP');
    await invokeRoute.handleAs(key, env.incoming, env.outgoing as Parameters<InvokeRoute['handleAs']>[2]);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

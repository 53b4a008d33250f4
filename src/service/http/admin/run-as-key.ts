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
import type { AppDeps } from '../app-deps';
import { InvokeRoute } from '../invoke-route';
import { anyJsonBody } from '../json-body';
import type { RequestEnv } from '../request-env';
import { type AdminEnv, refuseChanged, signedIn } from './admin-env';
import { requireKey } from './visibility';

/** A request to the app itself, by a caller that was let in. */
export type Dispatch = (request: Request, env: RequestEnv['Bindings']) => Response | Promise<Response>;

export function runAsKeyRoutes(deps: AppDeps, dispatch: Dispatch): Hono<AdminEnv> {
  const { keys, gate, limits } = deps;
  const invokeRoute = new InvokeRoute(deps);
  const app = new Hono<AdminEnv>();
  const as = (path: string) => `${PATHS.keys}/:id${path.slice('/v1'.length)}` as const;

  const keyOf = async ({ req, var: { principal } }: Context<AdminEnv>): Promise<KeyRecord> =>
    usable(await requireKey(principal, keys, req.param('id') ?? ''), 'agent');
  /** When the body has been read, which may take long: whoever has lost session, role or key meanwhile is answered as they are now. */
  const keyNow = async (context: Context<AdminEnv>): Promise<KeyRecord> => {
    await refuseChanged(context, deps);
    return keyOf(context);
  };

  for (const path of [PATHS.search, PATHS.resolve]) {
    app.post(as(path), signedIn(deps, 'try'), async (context) => {
      await gate.charge(await keyOf(context), (name, value) => context.header(name, value));
      const body = await anyJsonBody(context, limits);
      const { url, headers } = context.req.raw;
      const answer = await dispatch(new Request(new URL(path, url), { method: 'POST', headers }), { key: await keyNow(context), body });
      return context.newResponse(answer.body, answer);
    });
  }

  app.post(as(PATHS.invoke), signedIn(deps, 'try'), async (context) => {
    const key = await keyOf(context);
    const { env } = context;
    if (!('incoming' in env)) throw new SvcError('INVALID_REQUEST', 'Calls as a key come over HTTP');
    await invokeRoute.handleAs(key, () => keyNow(context), env.incoming, env.outgoing as Parameters<InvokeRoute['handleAs']>[3]);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

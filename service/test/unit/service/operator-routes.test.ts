import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import type { AppDeps } from '../../../src/http/app-deps';
import { operatorRoutes } from '../../../src/http/operator-routes';
import { RequestBodies } from '../../../src/http/read-body';
import { Readiness } from '../../../src/http/readiness';
import type { RequestEnv } from '../../../src/http/request-env';
import { serveRoutes } from '../../../src/http/serve-routes';

type OperatorDeps = Pick<AppDeps, 'readiness' | 'metrics' | 'metricsToken' | 'hosts' | 'admin' | 'bodies'>;

test('a node is ready until a part blocks it, lists each reason once, and is ready again when all parts release it', async () => {
  const readiness = new Readiness();
  const app = new Hono<RequestEnv>();
  serveRoutes<OperatorDeps>(
    app,
    operatorRoutes,
    {
      readiness,
      metrics: undefined,
      metricsToken: undefined,
      hosts: { names: [], addresses: false },
      admin: undefined,
      bodies: new RequestBodies(DEFAULT_LIMITS),
    },
    { admit: async () => ({}), again: (_context, admitted) => admitted },
  );
  const ready = async () => {
    const response = await app.request('/readyz');
    return [response.status, await response.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  const unblock = [readiness.block('draining'), readiness.block('the database cannot be reached'), readiness.block('draining')];
  expect(await ready()).toEqual([503, { status: 'not ready', reasons: ['draining', 'the database cannot be reached'] }]);
  unblock[0]?.();
  unblock[0]?.();
  unblock[1]?.();
  expect(await ready()).toEqual([503, { status: 'not ready', reasons: ['draining'] }]);
  unblock[2]?.();
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  expect((await app.request('/healthz')).status).toBe(200);
});

import { expect, test } from 'vitest';
import { operatorRoutes } from '../../../src/service/http/operator-routes';
import { Readiness } from '../../../src/service/http/readiness';

test('a node is ready until a part blocks it, tells each reason once, and is ready again when all have let go', async () => {
  const readiness = new Readiness();
  const app = operatorRoutes({ readiness, metrics: undefined, metricsToken: undefined });
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

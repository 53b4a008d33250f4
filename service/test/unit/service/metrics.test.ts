/** The values of the registry, and the wrappers of store and bus. The running service is in service/test/e2e/metrics.test.ts. */
import { expect, onTestFinished, test } from 'vitest';
import { LocalBus } from '../../../src/bus/local-bus';
import { ADMIN_ROUTES } from '../../../src/http/admin/admin-routes';
import { AGENT_ROUTES } from '../../../src/http/agent-routes';
import { RouteNames } from '../../../src/http/route-names';
import type { CallingKey } from '../../../src/keys/agent-tokens';
import { silentLogger } from '../../../src/lib/logger';
import { measuredBus } from '../../../src/metrics/measured-bus';
import { measuredStore } from '../../../src/metrics/measured-store';
import { Metrics } from '../../../src/metrics/metrics';
import { openStore } from '../../../src/store/open-store';

test('toolkits beyond the first 200 count as "other", and what was refused before its action as "none"', async () => {
  const metrics = new Metrics();
  const request = { key: {} as CallingKey, searchId: undefined, trace: undefined, askedAction: undefined, startedAt: 0 };
  const end = (accepted: { invocationId: string; actionId: string; toolkitId: string } | undefined) =>
    metrics.callObserver.requestEnded?.({ ...request, accepted }, 'OK', 1);
  for (let n = 0; n < 250; n++) end({ invocationId: 'inv_1', actionId: `t${n}__a`, toolkitId: `t${n}` });
  end({ invocationId: 'inv_1', actionId: 't7__a', toolkitId: 't7' });
  end(undefined);
  const counts = (await metrics.text()).split('\n').filter((line) => line.startsWith('svc_call_duration_seconds_count'));
  expect(counts).toHaveLength(202);
  expect(counts).toContain('svc_call_duration_seconds_count{toolkit="t7",code="OK"} 2');
  expect(counts).toContain('svc_call_duration_seconds_count{toolkit="other",code="OK"} 50');
  expect(counts).toContain('svc_call_duration_seconds_count{toolkit="none",code="OK"} 1');
});

test.each([
  ['/v1/invoke?x=1', '/v1/invoke'],
  ['/v1/actions/weather__today', '/v1/actions/{id}'],
  ['/v1/keys/key_1/rotate', '/v1/keys/{id}/rotate'],
  ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'],
  ['/wp-login.php', 'other'],
  ['', 'other'],
])('%s is route %s', (url, route) => {
  const names = new RouteNames();
  names.add(AGENT_ROUTES);
  names.add(ADMIN_ROUTES);
  expect(names.of(url)).toBe(route);
});

test('a measured store times operations and returns the same results and errors', async () => {
  const told: [string, boolean][] = [];
  const plain = await openStore({ data: undefined }, { durability: undefined, shared: false, logger: silentLogger });
  onTestFinished(() => plain.close());
  const store = measuredStore(plain, { storeAnswered: (operation, failed) => told.push([operation, failed]) });
  expect(store.node).toBe(plain.node);
  expect(await store.keys.list()).toEqual([]);
  await expect(store.invocations.end('inv_never', { code: 'OK', body: null, endedAt: 1 })).rejects.toThrow();
  await Promise.resolve();
  store.invocations.end('inv_never', { code: 'OK', body: null, endedAt: 1 }, (error) => expect(error).toBeDefined());
  expect(told).toEqual([
    ['keys.list', false],
    ['invocations.end', true],
    ['invocations.end', true],
  ]);
});

test('a measured bus times requests until the first answer and works as before', async () => {
  const asked: boolean[] = [];
  let connected: (() => boolean) | undefined;
  const plain = new LocalBus();
  const bus = measuredBus(plain, {
    busAnswered: (answered) => asked.push(answered),
    busLost() {},
    watchBus(bus) {
      connected = () => bus.connected;
    },
  });
  bus.subscribe('echo', (message, answer) => {
    answer(message);
    answer('again');
  });
  const ask = (subject: string) =>
    new Promise<string[]>((resolve) => {
      const heard: string[] = [];
      const stop = bus.ask(subject, 'hello', {
        answer(text) {
          if (heard.push(text) < 2) return;
          stop();
          resolve(heard);
        },
        noResponder: () => resolve(['no responder']),
      });
    });
  expect(await ask('echo')).toEqual(['hello', 'again']);
  expect(await ask('silence')).toEqual(['no responder']);
  expect(asked).toEqual([true, false]);
  expect([connected?.(), bus.connected]).toEqual([true, true]);
  await bus.close();
  expect([connected?.(), bus.connected]).toEqual([false, false]);
});

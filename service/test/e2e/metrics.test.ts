/** `/healthz`, `/readyz` and `/metrics` of a running service. */
import { expect, test, vi } from 'vitest';
import { tableRows } from '../../../test/support/markdown';
import { startService } from '../../../test/support/service';

/** Name and labels -> value. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

async function startCounting() {
  const service = await startService({ metrics: true });
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'today', actionDescription: 'Weather of a city' }, () => 'sunny');
    toolkit.action({ action: 'fail', actionDescription: 'Fails' }, (ctx) => ctx.error('NO', 'no'));
  });
  const read = async () => samplesOf(await (await fetch(`${service.url}/metrics`)).text());
  return { service, read };
}

test('health and readiness are public', async () => {
  const service = await startService();
  for (const [path, status] of [
    ['/healthz', 'ok'],
    ['/readyz', 'ready'],
  ]) {
    const response = await fetch(service.url + path);
    expect([response.status, await response.json()]).toEqual([200, { status }]);
    expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200);
  }
});

test('metrics are off by default, and the answer explains how to turn them on', async () => {
  const service = await startService();
  const response = await fetch(`${service.url}/metrics`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', detail: expect.stringContaining('--metrics') });
});

test('calls are counted and timed by toolkit and outcome, for any names from callers', async () => {
  const { service, read } = await startCounting();
  const tools = await service.tools();
  await tools.invoke('weather__today');
  await tools.invoke('weather__today');
  await expect(tools.invoke('weather__fail')).rejects.toThrow();
  for (const id of ['weather__nothing', 'made-up__action', 'x']) await expect(tools.invoke(id)).rejects.toThrow();
  await tools.search('weather');

  // A request is counted when its connection is done with it, a moment after the answer.
  await expect.poll(async () => (await read()).get('svc_http_requests_total{route="/v1/invoke",status="200"}')).toBe(2);
  const samples = await read();
  expect(samples.get('svc_call_duration_seconds_count{toolkit="weather",code="OK"}')).toBe(2);
  expect(samples.get('svc_call_duration_seconds_count{toolkit="weather",code="ACTION_FAILED"}')).toBe(1);
  expect(samples.get('svc_call_duration_seconds_count{toolkit="none",code="ACTION_NOT_FOUND"}')).toBe(3);
  expect(samples.get('svc_call_duration_seconds_bucket{le="60",toolkit="weather",code="OK"}')).toBe(2);
  expect(samples.get('svc_search_duration_seconds_count')).toBe(1);
  expect(samples.get('svc_http_requests_total{route="/v1/toolkit",status="101"}')).toBe(1);
  expect([...samples.keys()].join()).not.toContain('made-up');
});

test('current values are read at the request: sockets, toolkits, running calls, drains', async () => {
  const { service, read } = await startCounting();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const toolkit = await service.toolkit('slow', (slow) => slow.action({ action: 'wait', actionDescription: 'Waits' }, () => held));
  const tools = await service.tools();
  const call = tools.invoke('slow__wait');
  await expect.poll(async () => (await read()).get('svc_calls_running')).toBe(1);
  expect(Object.fromEntries(await read())).toMatchObject({
    svc_toolkit_sockets: 2,
    svc_toolkits_online: 2,
    svc_calls_queued: 0,
    svc_ready: 1,
    svc_toolkit_drains_total: 0,
  });
  const stopped = toolkit.stop();
  await expect.poll(async () => (await read()).get('svc_toolkit_drains_total')).toBe(1);
  release();
  await Promise.all([call, stopped]);
  await expect.poll(async () => (await read()).get('svc_toolkits_online')).toBe(1);
  expect((await read()).get('svc_calls_running')).toBe(0);
});

test('requests above the limit of a key are counted', async () => {
  const { service, read } = await startCounting();
  const tools = await service.tools({ timeoutMs: 100 }, { callsPerMinute: 1 });
  await tools.search('weather');
  await expect(tools.search('weather')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect((await read()).get('svc_rate_limited_total')).toBe(1);
});

test('with a token, only requests with it are allowed; a key of the service is not', async () => {
  const service = await startService({ metrics: { token: 'only-prometheus' } });
  const read = async (authorization?: string) =>
    (await fetch(`${service.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })).status;
  expect(await read('Bearer only-prometheus')).toBe(200);
  const { key } = await service.keys.create({ kind: 'admin', name: 'me' });
  for (const wrong of [undefined, '', 'Bearer', 'Bearer only-prometheu', 'Bearer only-prometheus2', 'only-prometheus', `Bearer ${key}`])
    expect(await read(wrong)).toBe(401);
});

test('a token that no header takes is refused before anything starts', async () => {
  for (const token of ['', 'two words', 'zwölf'])
    await expect(startService({ metrics: { token } })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('docs/operations.md has a row for every metric of the service', async () => {
  const { service } = await startCounting();
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const real = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const told = tableRows('docs/operations.md').flatMap(([cell = '']) => /^`(svc_\w+)/.exec(cell)?.[1] ?? []);
  expect(told.sort()).toEqual(real.filter((name) => name?.startsWith('svc_')).sort());
  expect(real).toEqual(expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']));
});

test('after a block of the event loop the node is not ready for some seconds, and the block is counted', async () => {
  const { service, read } = await startCounting();
  const readyz = async () => (await fetch(`${service.url}/readyz`)).status;
  expect(await readyz()).toBe(200);
  const before = Number((await read()).get('svc_event_loop_blocks_total'));
  // The service runs in this process.
  for (const end = performance.now() + 1_500; performance.now() < end; );
  await vi.waitFor(async () => expect(await readyz()).toBe(503));
  expect((await read()).get('svc_event_loop_blocks_total')).toBeGreaterThan(before);
  expect((await read()).get('svc_event_loop_blocked_seconds_total')).toBeGreaterThan(1);
  await vi.waitFor(async () => expect(await readyz()).toBe(200));
});

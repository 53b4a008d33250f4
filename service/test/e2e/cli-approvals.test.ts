/** `svc-sdk approvals` against a running service. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Problem } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { runInProcess, startInProcess } from '../../../test/support/command-in-process';
import { startService } from '../../../test/support/service';

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'SVC_BASE_URL', 'SVC_ADMIN_API_KEY', 'SVC_AGENT_API_KEY']) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

async function stage(more: Partial<Rule> = {}) {
  const service = await startService();
  let runs = 0;
  await service.toolkit('shop', (shop) => shop.action({ action: 'buy', actionDescription: 'Buys an item' }, () => ++runs));
  const agent = await service.keys.create({ kind: 'agent', name: 'buyer', rules: [{ match: {}, do: 'ask', ...more }] });
  vi.stubEnv('SVC_BASE_URL', service.url);
  vi.stubEnv('SVC_ADMIN_API_KEY', (await service.keys.create({ kind: 'admin', name: 'admin' })).key);
  const ask = async (item: string) => {
    const response = await fetch(service.url + PATHS.invoke, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', 'svc-session-id': 'chat' },
      body: JSON.stringify({ action: 'shop__buy', payload: { item } }),
    });
    return ((await response.json()) as Problem).approval?.id ?? '';
  };
  return { agent, ask, runs: () => runs };
}

const approvals = (...args: string[]) => runInProcess(['approvals', ...args]);

test('list and show: what waits, with the whole payload made printable', async () => {
  const { ask } = await stage();
  expect(await approvals('list')).toEqual({ code: 0, stdout: '', stderr: 'No call waits for a person\n' });
  const id = await ask('tea \u001b[2J\u202e');
  const { stdout } = await approvals('list', '--status', 'pending');
  expect(stdout).toMatch(new RegExp(`${id} +pending +shop__buy +buyer`));
  const shown = (await approvals('show', id)).stdout;
  expect(shown).toContain('"item": "tea \\u001b[2J\\u202e"');
  expect(shown).toContain('Buys an item');
  expect(JSON.parse((await approvals('show', id, '--json')).stdout)).toMatchObject({ id, session: 'chat', history: { failed: 0 } });
});

test('approve runs the call, deny does not, and a second decision reads the first', async () => {
  const { ask, runs } = await stage();
  const id = await ask('tea');
  expect(await approvals('approve', id, '--reason', 'fine')).toEqual({
    code: 0,
    stderr: '',
    stdout: `${id} is approved: shop__buy runs\n`,
  });
  await expect.poll(runs).toBe(1);
  expect(await approvals('deny', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('was approved by admin') });
  const other = await ask('milk');
  expect(await approvals('deny', other, '--reason', 'no milk')).toMatchObject({ code: 0, stdout: `${other} is denied\n` });
  expect(runs()).toBe(1);
});

test('an app decides with its agent key', async () => {
  const { agent, ask, runs } = await stage({ decidedBy: 'app' });
  const id = await ask('tea');
  vi.stubEnv('SVC_ADMIN_API_KEY', undefined);
  vi.stubEnv('SVC_AGENT_API_KEY', agent.key);
  expect(await approvals('approve', id)).toMatchObject({ code: 0 });
  await expect.poll(runs).toBe(1);
});

test('watch shows each new call, and asks a person at a terminal', async () => {
  const { ask, runs } = await stage();
  const id = await ask('tea');
  const watching = startInProcess(['approvals', 'watch'], { isTerminal: true, input: 'y\n' });
  onTestFinished(() => void watching.stop());
  await watching.printed(/"item": "tea"/);
  await watching.printed(new RegExp(`${id} is approved`));
  await expect.poll(runs).toBe(1);
  expect((await watching.stop()).code).toBe(0);
});

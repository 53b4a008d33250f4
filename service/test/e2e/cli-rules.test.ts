/** `svc-service keys rules`, and `--rules` of `keys create`, in the process of the test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tools } from 'svc-sdk';
import type { Rule } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { runInProcess } from '../../../test/support/command-in-process';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';

const RULES: Rule[] = [
  { match: { action: 'shop__delete' }, do: 'deny' },
  { match: { toolkit: 'shop', payload: [{ path: '/amount', above: 100 }] }, do: 'ask', decidedBy: 'app' },
  { match: { hint: 'undeclared', priceAbove: '0.5', user: 'guest-*', payload: [{ path: '', exists: false }] }, do: 'ask' },
  { match: {}, do: 'allow' },
];
const TABLE = [
  ['rule', 'do', 'calls that match'],
  ['1', 'deny', 'action shop__delete'],
  ['2', 'ask (app)', 'toolkit shop, /amount above 100'],
  ['3', 'ask', 'hint undeclared, price above 0.5, user guest-*, the payload does not exist'],
  ['4', 'allow', 'every call'],
];

const keys = (...args: string[]) => runInProcess(['keys', ...args]);
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));

function fileWith(content: unknown): { file: string; folder: string } {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(path, 'rules.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { file, folder: path };
}

test('rules are given to a new key, shown, replaced and taken away in a data directory', async () => {
  const { file, folder } = fileWith(RULES);
  const at = ['--data', join(folder, 'data')];
  const created = await keys('create', '--kind', 'agent', '--name', 'x', '--rules', file, ...at);
  const [id = ''] = /key_\w+/.exec(created.stderr) ?? [];
  expect(rowsOf((await keys('rules', id, ...at)).stdout)).toEqual(TABLE);
  expect((await keys('list', ...at)).stdout).toMatch(/ all actions, 4 rules +valid /);
  const one = fileWith(RULES.slice(0, 1)).file;
  expect(rowsOf((await keys('rules', id, '--set', one, ...at)).stdout)).toEqual(TABLE.slice(0, 2));
  expect(JSON.parse((await keys('rules', id, '--json', ...at)).stdout)).toEqual(RULES.slice(0, 1));
  expect((await keys('list', ...at)).stdout).toMatch(/ all actions, 1 rule +valid /);
  expect(await keys('rules', id, '--clear', ...at)).toEqual({ code: 0, stdout: '', stderr: `${id} has no rules\n` });
  expect((await keys('rules', 'key_none', ...at)).stderr).toMatch(/^NOT_FOUND: There is no key key_none/);
});

test.each<[string, unknown, string[], RegExp]>([
  ['what is not JSON', '[{', ['--set'], /^INVALID_REQUEST: Cannot read the rules in .*rules\.json: /],
  [
    'a misspelt member',
    [{ match: { hnit: 'destructive' }, do: 'ask' }],
    ['--set'],
    /^INVALID_REQUEST: .*rules\.0\.match has the unknown member hnit/,
  ],
  [
    'a preview without a service',
    RULES,
    ['--preview'],
    /^INVALID_REQUEST: --preview counts over the records of a running service: give its --url/,
  ],
  ['two wishes', RULES, ['--clear', '--set'], /cannot be used with option/],
])('%s is refused', async (_, content, flags, said) => {
  const { file, folder } = fileWith(content);
  const at = ['--data', join(folder, 'data')];
  const { stderr } = await keys('create', '--kind', 'agent', '--name', 'x', ...at);
  const [id = ''] = /key_\w+/.exec(stderr) ?? [];
  const refused = await keys('rules', id, ...flags, file, ...at);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(said);
});

test('a preview shows the calls of each rule, of the defaults, and examples', async () => {
  const service = await startConsole();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all' });
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'refund', actionDescription: 'Refunds' }, () => 'done');
    shop.action({ action: 'delete', actionDescription: 'Deletes', annotations: { destructive: true } }, () => 'done');
  });
  vi.stubEnv('SVC_ADMIN_API_KEY', (await service.keys.create({ kind: 'admin', name: 'x' })).key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'x', rules: RULES.slice(1, 2) });
  const tools = new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: 'other' })).key });
  await tools.invoke('shop__refund', { amount: 500 });
  const own = new Tools({ baseUrl: service.url, apiKey: key });
  await own.invoke('shop__refund', { amount: 50 });
  await own.invoke('shop__delete', {});
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { ruleDefaults: { destructive: 'ask' } });

  const at = ['--url', service.url];
  const present = await keys('rules', id, '--preview', '--days', '1', ...at);
  expect(present.stderr).toBe('2 calls of the last day\n');
  expect(rowsOf(present.stdout)).toEqual([
    ['rule', 'do', 'calls that match', 'calls'],
    ['1', 'ask (app)', 'toolkit shop, /amount above 100', '0'],
    ['ask', 'a default of the service', '1'],
    ['allow', 'they run', '1'],
    [''],
    ['at', 'do', 'rule', 'action', 'call'],
    [expect.stringMatching(/^\d{4}-.*Z$/), 'ask', 'default', 'shop__delete', expect.stringMatching(/^inv_/)],
  ]);
  const { file } = fileWith(RULES.slice(0, 2));
  expect(JSON.parse((await keys('rules', id, '--preview', file, '--json', ...at)).stdout)).toMatchObject({
    calls: 2,
    deny: 1,
    ask: 0,
    allow: 1,
  });
});

/** Charges reach `settle` and the webhook: in order, at least once, through failures and restarts. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SvcError, Tools } from 'svc-sdk';
import { type ChargedEntry, createService, openKeys, type Settle } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type SettingsPage } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { AGENT, buy, sellAtMost5Cents } from '../../../test/support/paid-shop';
import { startRecorded } from '../../../test/support/recorded-service';
import { runToolkit, startService } from '../../../test/support/service';
import { firstIdAt } from '../../src/store/sql/statements';
import { runCommand, startCommand } from '../support/command';
import { LEDGER_SECRET, startLedgerReceiver } from '../support/ledger-receiver';

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

async function startShop(settle: Settle, data?: string) {
  const service = await startService({ settle, data });
  await service.toolkit('shop', sellAtMost5Cents);
  const { key } = await service.keys.create(AGENT);
  return { service, key };
}

test('each charge is settled in the order of the bookings, with its amounts; what costs nothing is not', async () => {
  const seen: ChargedEntry[] = [];
  const { service, key } = await startShop(async (entry) => void seen.push(entry));
  const [first, , third] = await buy(service, key, ['0.05', '0', '0.000001']);
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  await expect(tools.invoke('shop__sell', { cost: '0.05', fails: true })).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  const [last] = await buy(service, key, ['0.02']);
  await vi.waitFor(() => expect(seen).toHaveLength(3));
  expect(seen.map(({ invocationId, charged }) => [invocationId, charged])).toEqual([
    [first, '0.05'],
    [third, '0.000001'],
    [last, '0.02'],
  ]);
  const [agent] = (await service.keys.list()).filter(({ kind }) => kind === 'agent');
  expect(seen[0]).toMatchObject({ agentKeyId: agent?.id, toolkit: 'shop', action: 'shop__sell', currency: 'USD', authorised: '0.05' });
  expect(Date.parse(String(seen[0]?.bookedAt))).toBeGreaterThanOrEqual(Date.parse(String(seen[0]?.heldAt)));
});

test('a replay and a retry of the same call are settled once', async () => {
  const seen: string[] = [];
  const { service, key } = await startShop(async ({ invocationId }) => void seen.push(invocationId));
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  const options = { idempotencyKey: 'order-1' };
  const [one, other] = await Promise.all([
    tools.invoke('shop__sell', { cost: '0.03' }, options),
    tools.invoke('shop__sell', { cost: '0.03' }, options),
  ]);
  expect(one.invocationId).toBe(other.invocationId);
  await tools.invoke('shop__sell', { cost: '0.03' }, options);
  const [last] = await buy(service, key, ['0.01']);
  await vi.waitFor(() => expect(seen).toContain(last));
  expect(seen).toEqual([one.invocationId, last]);
});

test('an entry that fails holds the later ones up until it is accepted', async () => {
  const tries: string[] = [];
  let failures = 2;
  const { service, key } = await startShop(async ({ charged }) => {
    tries.push(charged);
    if (charged === '0.02' && failures-- > 0) throw new SvcError('SERVICE_UNAVAILABLE', 'later');
  });
  await buy(service, key, ['0.01', '0.02', '0.03']);
  await vi.waitFor(() => expect(tries).toHaveLength(5));
  expect(tries).toEqual(['0.01', '0.02', '0.02', '0.02', '0.03']);
});

test('a service that stops during settlement continues after the next start: nothing is lost, only the current entry may repeat', async () => {
  const data = folder();
  const seen: string[] = [];
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const settle: Settle = async ({ invocationId }) => {
    seen.push(invocationId);
    if (seen.length === 3) await end;
  };
  const { service, key } = await startShop(settle, data);
  const ids = await buy(service, key, ['0.01', '0.01', '0.01', '0.01', '0.01']);
  await vi.waitFor(() => expect(seen).toEqual(ids.slice(0, 3)));
  const closed = service.close();
  resolve();
  await closed;

  const next = await createService({ port: 0, data, settle });
  onTestFinished(() => next.close());
  await vi.waitFor(() => expect(seen.at(-1)).toBe(ids.at(-1)));
  expect([...new Set(seen)]).toEqual(ids);
  expect(seen.length).toBeLessThanOrEqual(ids.length + 1);
});

test('the whole ledger is settled when a service gets its settlement later', async () => {
  const data = folder();
  const service = await startService({ data });
  const shop = await service.toolkit('shop', sellAtMost5Cents);
  const { key } = await service.keys.create(AGENT);
  const ids = await buy(service, key, ['0.01', '0.02']);
  await shop.stop();
  await service.close();
  const seen: string[] = [];
  const next = await createService({ port: 0, data, settle: async ({ invocationId }) => void seen.push(invocationId) });
  onTestFinished(() => next.close());
  await vi.waitFor(() => expect(seen).toEqual(ids));
});

test('the webhook of the command gets every entry through kill -9, signed, and the command shows no secret', async () => {
  const data = folder();
  const receiver = await startLedgerReceiver();
  const keys = await openKeys(data);
  const { key: toolkitKey } = await keys.create({ kind: 'toolkit', name: 'shop' });
  const { key } = await keys.create(AGENT);
  await keys.close();
  const env = { SVC_LEDGER_WEBHOOK_SECRET: LEDGER_SECRET };
  const serve = async (port: number) => {
    const command = startCommand(
      ['serve', '--port', String(port), '--data', data, '--ledger-webhook', receiver.url, '--log-level', 'info'],
      { env },
    );
    onTestFinished(() => command.kill('SIGKILL'));
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { command, url };
  };
  const first = await serve(0);
  await runToolkit(first.url, toolkitKey, sellAtMost5Cents);
  receiver.behaviour = ({ charged }, response) => {
    if (charged === '0.02') response.writeHead(503, { 'retry-after': '1' }).end();
    // Holds the answer back: the service is killed meanwhile.
    return charged === '0.02' || charged === '0.03';
  };
  const ids = await buy(first, key, ['0.01', '0.02', '0.03', '0.04']);
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(2));
  expect(receiver.accepted).toEqual(ids.slice(0, 1));
  receiver.behaviour = ({ charged }) => charged === '0.03';
  await vi.waitFor(() => expect(receiver.requests.at(-1)?.charged).toBe('0.03'));
  first.command.kill('SIGKILL');
  const { stdout, stderr } = await first.command.ended;
  expect(stderr).toContain('answered 503');
  expect(stdout + stderr).not.toContain(LEDGER_SECRET);

  receiver.behaviour = () => false;
  const second = await serve(Number(new URL(first.url).port));
  await vi.waitFor(() => expect(receiver.accepted).toEqual(ids));
  expect(receiver.forged).toBe(0);
  expect(receiver.requests.filter(({ invocationId }) => invocationId === ids[2])).toHaveLength(2);
  second.command.kill('SIGTERM');
  expect(await second.command.ended).toMatchObject({ code: 0 });
});

test('a receiver with another secret refuses; once both have the same one, nothing is lost', async () => {
  const receiver = await startLedgerReceiver();
  receiver.secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const service = await startService({ ledgerWebhook: { url: receiver.url, secret: LEDGER_SECRET } });
  await service.toolkit('shop', sellAtMost5Cents);
  const { key } = await service.keys.create(AGENT);
  const ids = await buy(service, key, ['0.01', '0.02']);
  await vi.waitFor(() => expect(receiver.forged).toBeGreaterThan(0));
  expect(receiver.requests).toEqual([]);
  receiver.secret = LEDGER_SECRET;
  await vi.waitFor(() => expect(receiver.accepted).toEqual(ids));
});

test.each([
  [{}, /needs the secret.*SVC_LEDGER_WEBHOOK_SECRET="whsec_\$\(openssl rand -base64 32\)"/],
  [{ SVC_LEDGER_WEBHOOK_SECRET: 's3cret-s3cret' }, /whsec_ and the base64 of at least 24 bytes/],
])('serve refuses the webhook without a good secret: %o', async (env, message) => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', folder()], {
    env: { ...env, SVC_LEDGER_WEBHOOK: 'https://billing.example.com/ledger' },
  });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('s3cret-s3cret');
});

test('serve refuses a webhook over http to the outside', async () => {
  const env = { SVC_LEDGER_WEBHOOK_SECRET: LEDGER_SECRET };
  const { code, stderr } = await runCommand(
    ['serve', '--port', '0', '--data', folder(), '--ledger-webhook', 'http://billing.example.com/'],
    { env },
  );
  expect(code).toBe(1);
  expect(stderr).toContain('use https');
});

test('the settings page names the host of the webhook, and neither its path nor its secret', async () => {
  const ledgerWebhook = { url: 'https://billing.example.com/ledger?token=s3cret', secret: LEDGER_SECRET };
  const { owner } = await startConsole({ ledgerWebhook });
  const { fixed } = await owner.json<SettingsPage>('GET', ADMIN_PATHS.settings);
  expect(fixed.find(({ name }) => name === 'settlement')?.value).toBe('webhook at billing.example.com');
  expect(JSON.stringify(fixed)).not.toMatch(/s3cret|whsec_/);
});

test('a hold without an outcome is released after a day, in the background', async () => {
  const data = folder();
  await (await createService({ port: 0, data })).close();
  const file = new DatabaseSync(join(data, 'svc.sqlite'));
  const hour = 60 * 60 * 1_000;
  const insert = file.prepare(
    `INSERT INTO ledger (invocation_id, agent_key_id, toolkit, action, currency, day, authorised, held_at)
     VALUES (?, 'key_agent', 'shop', 'shop__sell', 'USD', ?, 50000, ?)`,
  );
  for (const hours of [23, 25]) {
    const heldAt = Date.now() - hours * hour;
    insert.run(`${firstIdAt(heldAt)}${hours}`, Math.floor(heldAt / (24 * hour)), heldAt);
  }
  file.close();
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store } = await startRecorded({ data });
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await vi.waitFor(async () => {
    const entries = await store.ledger.list({ order: 'oldest', limit: 10 });
    expect(entries.map(({ charged }) => charged)).toEqual([0n, null]);
  });
});

/** Alerts from their begin to their end, at a real service, and their way to a webhook, to Slack and to an SMTP server over real sockets. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type SettingsPage } from '#sdk/protocol/admin';
import type { AddedAlertTarget, AlertsPage, AlertTargetsPage, SystemReport, TestedAlertTarget } from '#sdk/protocol/alert-schemas';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { runInProcess } from '../../../test/support/command-in-process';
import { startConsole } from '../../../test/support/console-service';
import { listening } from '../../../test/support/listening';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { SERVICE_CLI } from '../../cli/commands';
import { startSmtpServer } from '../support/smtp-server';

const LOCAL = { connections: { privateHosts: ['127.0.0.1'] } };
const TARGETS = `${ADMIN_PATHS.alerts}/targets`;

async function stage(options: object = LOCAL) {
  const service = await startConsole(options);
  const { owner } = service;
  await owner.json('PATCH', ADMIN_PATHS.settings, { alertRules: { 'toolkit-offline': { threshold: 0 } } });
  return {
    service,
    owner,
    check: async () => (await owner.json<AlertsPage>('POST', `${ADMIN_PATHS.alerts}/check`)).alerts,
    targets: async () => (await owner.json<AlertTargetsPage>('GET', TARGETS)).targets,
    add: (target: object) => owner.json<AddedAlertTarget>('POST', TARGETS, target),
  };
}

/** Receives requests until the test ends, and answers with `status`. */
async function receiver() {
  const received = { status: 204, requests: [] as { headers: Record<string, string>; body: string }[] };
  const server = createServer(async (request, response) => {
    received.requests.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(received.status).end(received.status === 404 ? 'no_service' : '');
  });
  return Object.assign(received, { url: `${await listening(server)}/hook` });
}

async function goOffline(service: Awaited<ReturnType<typeof startConsole>>, key: string) {
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'run', actionDescription: 'Runs' }]);
  await toolkit.close();
}

test('a toolkit that goes offline is an alert until it is back; its webhook gets both, signed, once', async () => {
  const { service, owner, check, targets, add } = await stage();
  const hook = await receiver();
  const { secret, id } = await add({ kind: 'webhook', url: hook.url });
  const anna = await service.join('anna');
  const ben = await service.join('ben');
  const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect
    .poll(check)
    .toMatchObject([{ kind: 'toolkit-offline', subject: 'weather', severity: 'critical', link: '/toolkits/weather' }]);
  expect((await anna.json<AlertsPage>('GET', ADMIN_PATHS.alerts)).alerts).toHaveLength(1);
  expect((await ben.json<AlertsPage>('GET', ADMIN_PATHS.alerts)).alerts).toEqual([]);
  await expect.poll(() => hook.requests.length).toBe(1);

  const back = await RawToolkit.connect(service, key);
  await back.register([{ action: 'run', actionDescription: 'Runs' }]);
  await expect.poll(check).toEqual([]);
  await expect.poll(() => hook.requests.length).toBe(2);
  const messages = hook.requests.map(({ headers, body }) => new Webhook(secret ?? '').verify(body, headers) as { type: string });
  expect(messages).toMatchObject([
    { type: 'alert.begun', url: `${service.url}/toolkits/weather`, alert: { kind: 'toolkit-offline', subject: 'weather' } },
    { type: 'alert.ended', alert: { endedAt: expect.any(String) } },
  ]);
  await expect
    .poll(async () => (await targets()).map((target) => [target.id, target.waiting, target.lastSentAt !== undefined]))
    .toEqual([[id, 0, true]]);
  expect((await owner.json<AlertsPage>('GET', `${ADMIN_PATHS.alerts}?state=ended`)).alerts).toHaveLength(1);
});

test('a muted subject and a kind that is off have no alerts', async () => {
  const { service, owner, check } = await stage();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  const mute = { kind: 'toolkit-offline', subject: 'weather', until: new Date(Date.now() + 60_000).toISOString() };
  await owner.json('PATCH', ADMIN_PATHS.settings, { alertMutes: [mute] });
  expect(await check()).toEqual([]);
  await owner.json('PATCH', ADMIN_PATHS.settings, { alertMutes: [] });
  expect(await check()).toHaveLength(1);
  await owner.json('PATCH', ADMIN_PATHS.settings, { alertRules: { 'toolkit-offline': { on: false } } });
  expect(await check()).toEqual([]);
});

test('an owner mutes an alert until it is over: it is not shown, nothing is sent, and the next one is', async () => {
  const { service, owner, check, add } = await stage();
  const anna = await service.join('anna');
  const hook = await receiver();
  await add({ kind: 'webhook', url: hook.url });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  await expect.poll(() => hook.requests.length).toBe(1);
  const [alert] = (await owner.json<AlertsPage>('GET', ADMIN_PATHS.alerts)).alerts;
  const path = `${ADMIN_PATHS.alerts}/${alert?.id}/mute`;
  await expect(anna.json('POST', path, {})).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await expect(owner.json('POST', path, { until: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect((await owner.ask('POST', path, {})).status).toBe(204);
  const mutes = async () => (await owner.json<SettingsPage>('GET', ADMIN_PATHS.settings)).settings.alertMutes;
  expect(await mutes()).toEqual([{ kind: 'toolkit-offline', subject: 'weather' }]);
  expect((await owner.json<AlertsPage>('GET', ADMIN_PATHS.alerts)).alerts).toEqual([]);
  expect(await check()).toEqual([]);
  await expect(owner.json('POST', path, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const back = await RawToolkit.connect(service, key);
  await back.register([{ action: 'run', actionDescription: 'Runs' }]);
  await expect.poll(async () => [await check(), await mutes()]).toEqual([[], []]);
  await back.close();
  await expect.poll(check).toHaveLength(1);
  await expect.poll(() => hook.requests.length).toBe(2);
  const sent = hook.requests.map(({ body }) => JSON.parse(body) as { type: string });
  expect(sent.map(({ type }) => type)).toEqual(['alert.begun', 'alert.begun']);
});

test('a mute with a time ends by itself, and the alert is sent again', async () => {
  const { service, owner, check } = await stage();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  const [alert] = (await owner.json<AlertsPage>('GET', ADMIN_PATHS.alerts)).alerts;
  const until = new Date(Date.now() + 2_000).toISOString();
  await owner.ask('POST', `${ADMIN_PATHS.alerts}/${alert?.id}/mute`, { until });
  expect((await owner.json<SettingsPage>('GET', ADMIN_PATHS.settings)).settings.alertMutes).toHaveLength(1);
  await expect.poll(check).toMatchObject([{ kind: 'toolkit-offline', subject: 'weather' }]);
  expect((await owner.json<SettingsPage>('GET', ADMIN_PATHS.settings)).settings.alertMutes).toEqual([]);
});

test('Slack gets one line with escaped text, and its refusal is shown with the target', async () => {
  const { service, check, add, owner, targets } = await stage();
  const slack = await receiver();
  const { id } = await add({ kind: 'slack', url: slack.url });
  slack.status = 404;
  expect(await owner.json<TestedAlertTarget>('POST', `${TARGETS}/${id}/test`)).toEqual({
    sent: false,
    error: 'it answered 404 (no_service)',
  });
  const { key } = await service.keys.create({ kind: 'toolkit', name: '<Tom & Co>' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  await expect.poll(targets).toMatchObject([{ waiting: 1, failing: { error: 'it answered 404 (no_service)' } }]);
  const line = JSON.parse(slack.requests.at(-1)?.body ?? '').text;
  expect(line).toContain('Toolkit "&lt;Tom &amp; Co&gt;" is offline');
  expect(line).toMatch(/<http:\S+\|Open>$/);
});

test('e-mail goes over a real SMTP server; a server in a private network needs the operator', async () => {
  const smtp = await startSmtpServer();
  const smtpUrl = `smtp://127.0.0.1:${smtp.port}`;
  const { owner, add } = await stage({ smtpUrl });
  const mail = { kind: 'email', to: ['ops@example.com', 'two@example.com'], from: 'svc@example.com' };
  const byOperator = await add(mail);
  expect(await owner.json<TestedAlertTarget>('POST', `${TARGETS}/${byOperator.id}/test`)).toEqual({ sent: true });
  expect(smtp.mails).toMatchObject([{ from: 'svc@example.com', to: mail.to, text: expect.stringContaining('This is a test') }]);
  const byOwner = await add({ ...mail, smtpUrl });
  expect(await owner.json<TestedAlertTarget>('POST', `${TARGETS}/${byOwner.id}/test`)).toEqual({
    sent: false,
    error: 'its host has no public address',
  });
  const shown = await (await owner.ask('GET', TARGETS)).text();
  expect(shown).not.toContain('smtp:');
  smtp.isDown = true;
  expect(await owner.json<TestedAlertTarget>('POST', `${TARGETS}/${byOperator.id}/test`)).toMatchObject({ sent: false });
});

test('a webhook that is down, redirects or answers without end is one line, and gets its alert when it is back', async () => {
  const { service, owner, check, add, targets } = await stage();
  const hook = await receiver();
  const { id } = await add({ kind: 'webhook', url: hook.url });
  const tried = () => owner.json<TestedAlertTarget>('POST', `${TARGETS}/${id}/test`);
  hook.status = 302;
  expect(await tried()).toEqual({ sent: false, error: 'it answered 302' });
  let answer: ServerResponse | undefined;
  const endless = createServer((_, response) => {
    answer = response.writeHead(200);
    const more = () => {
      while (response.write('<p>Welcome</p>'.repeat(1_000)));
    };
    response.on('drain', more);
    more();
  });
  const { id: other } = await add({ kind: 'webhook', url: `${await listening(endless)}/hook` });
  expect(await owner.json('POST', `${TARGETS}/${other}/test`)).toEqual({
    sent: false,
    error: expect.stringMatching(/^it has more than \d+ bytes$/),
  });
  if (!answer?.closed) await once(answer as ServerResponse, 'close');
  await owner.json('DELETE', `${TARGETS}/${other}`);

  hook.status = 503;
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  await expect.poll(targets).toMatchObject([{ waiting: 1, failing: { error: 'it answered 503' } }]);
  const before = hook.requests.length;
  hook.status = 204;
  await expect.poll(targets).toMatchObject([{ waiting: 0 }]);
  expect(hook.requests.length).toBe(before + 1);
});

test('bad rules and targets are refused with what to write', async () => {
  const { owner } = await stage({});
  const refused = async (path: string, body: object, method = 'POST') => (await owner.ask(method, path, body)).json();
  expect(await refused(ADMIN_PATHS.settings, { alertRules: { 'key-budget': { threshold: 120 } } }, 'PATCH')).toMatchObject({
    code: 'INVALID_REQUEST',
    detail: expect.stringContaining('must be from 1 to 100'),
  });
  expect(await refused(TARGETS, { kind: 'webhook', url: 'http://127.0.0.1/' })).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await refused(TARGETS, { kind: 'email', to: ['x'], from: 'a@b' })).toMatchObject({
    detail: expect.stringContaining('e-mail address'),
  });
  expect(await refused(TARGETS, { kind: 'email', to: ['a@b.c'], from: 'a@b.c' })).toMatchObject({
    detail: expect.stringContaining('SVC_SMTP_URL'),
  });
});

test('the page of the service has its nodes, its data, the SDKs that connect and the limits with units', async () => {
  const { service, owner } = await stage({});
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'run', actionDescription: 'Runs' }]);
  const report = await owner.json<SystemReport>('GET', ADMIN_PATHS.system);
  expect(report).toMatchObject({
    nodes: [{ isThis: true, isSilent: false, running: 0, queued: 0, toolkitSockets: 1, version: report.version }],
    store: { kind: 'memory', bytes: expect.any(Number) },
    sdks: [{ processes: 1 }],
  });
  expect(report.lastBackupAt).toBeUndefined();
  expect(report.limits).toContainEqual(expect.objectContaining({ name: 'payloadBytes', unit: 'bytes' }));
  expect(report.limits).toContainEqual(expect.objectContaining({ name: 'defaultTimeoutMs', unit: 'ms' }));
});

test('alerts list has the ids, and alerts mute mutes one for so many hours', async () => {
  const { service, check } = await stage();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  await goOffline(service, key);
  await expect.poll(check).toHaveLength(1);
  vi.stubEnv('SVC_BASE_URL', service.url);
  vi.stubEnv('SVC_ADMIN_API_KEY', (await service.keys.create({ kind: 'admin', name: 'admin' })).key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const alerts = (...args: string[]) => runInProcess(['alerts', ...args], { cli: SERVICE_CLI });
  const [id = ''] = /alr_\w+/.exec((await alerts('list')).stdout) ?? [];
  expect(await alerts('mute', id, '--hours', '2')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Muted until 20/) });
  expect(await alerts('list')).toMatchObject({ code: 0, stderr: 'Nothing is wrong\n' });
  expect(await alerts('mute', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not open') });
});

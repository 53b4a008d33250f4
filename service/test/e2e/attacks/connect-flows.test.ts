/** Flows whose toolkit, key or user is another one at their end than at their start. */
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';
import { RawToolkit } from '../../../../test/support/raw-toolkit';
import { startConnectStage } from '../../support/connections/connect-stage';
import { codeOn } from '../../support/connections/page-browser';

const consoleStage = (from: 'user' | 'agent') => startConnectStage<ConsoleService>({ type: 'bearer', from }, {}, startConsole);

/** The toolkit "github" is removed, and another person makes one with the same id, the same provider and the same client. */
async function remade(stage: Awaited<ReturnType<typeof consoleStage>>, auth: object) {
  const { service } = stage;
  await service.owner.json('DELETE', '/v1/reports/toolkits/github');
  const mallory = await service.join('mallory');
  const { key } = await mallory.json<{ key: string }>('POST', PATHS.keys, { kind: 'toolkit', name: 'mine', toolkit: 'github' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'star', actionDescription: 'Stars a repository' }], { toolkit: { auth } });
}

test('an account that was connected for a removed toolkit does not become that of the next one with its id', async () => {
  const stage = await consoleStage('user');
  const provider = await stage.withProvider();
  const auth = await stage.onStore(async ({ catalog }) => (await catalog.toolkits(['github']))[0]!.auth!);
  const app = await stage.app();
  const waiting = stage.browser();
  const { left: first } = await waiting.submit(await waiting.open((await app.required('u_81')).url));
  const code = codeOn(await waiting.open((await provider.signIn(first!, 'octocat')).href));
  const atProvider = stage.browser();
  const { left } = await atProvider.submit(await atProvider.open((await app.required('u_82')).url));

  await remade(stage, auth);

  await expect(app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const page = await atProvider.open((await provider.signIn(left!, 'octocat')).href);
  expect(page.text).not.toContain('Connected');
  expect(await stage.onStore(({ connections }) => connections.list({ limit: 10 }))).toEqual([]);
});

test('the app of a removed toolkit learns that the accounts of its users are gone', async () => {
  const stage = await consoleStage('user');
  const app = await stage.app();
  const received: object[] = [];
  const hook = await stage.listen(async (request, response) => {
    received.push(JSON.parse(await text(request)));
    response.end();
  });
  await stage.service.owner.json('PATCH', `${PATHS.keys}/${app.id}`, { connect: { webhookUrl: hook } });
  const browser = stage.browser();
  const code = codeOn(await browser.submit(await browser.open((await app.required('u_81')).url), { token: 'gho_1' }));
  await app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' });
  await stage.service.owner.json('DELETE', '/v1/reports/toolkits/github');
  await vi.waitFor(() => expect(received.at(-1)).toMatchObject({ toolkit: 'github', userId: 'u_81', status: 'removed' }), {
    timeout: 20_000,
  });
});

test('a flow that began for an agent key stores nothing after the key was revoked', async () => {
  const stage = await consoleStage('agent');
  const provider = await stage.withProvider({ from: 'agent' });
  const app = await stage.app();
  const browser = stage.browser(stage.service.owner.cookie);
  const { left } = await browser.submit(await browser.open((await app.required('u_81')).url));
  const back = await provider.signIn(left!, 'octocat');
  await stage.service.owner.json('DELETE', `${PATHS.keys}/${app.id}`);
  await browser.open(back.href);
  expect(await stage.onStore(({ connections }) => connections.list({ limit: 10 }))).toEqual([]);
});

test('an admin key that calls as an agent key has no account of its own to connect', async () => {
  const stage = await consoleStage('user');
  const { service } = stage;
  const app = await stage.app();
  const { key } = await service.keys.create({ kind: 'admin', name: 'operator' });
  const answer = await fetch(`${service.url}${PATHS.keys}/${app.id}/invoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'github__star', payload: {} }),
  });
  expect(await answer.json()).toMatchObject({
    code: 'CONNECTION_REQUIRED',
    detail: expect.stringContaining('the call names none'),
    connect: { toolkit: 'github' },
  });
});

test('a user of any name that a token may have connects an account', async () => {
  const stage = await startConnectStage();
  const app = await stage.app();
  for (const userId of ['Zoë Ünal', 'a:b:c', `u${'x'.repeat(255)}`]) {
    const { token } = await app.ask<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 60, userId });
    const answer = await fetch(stage.service.url + PATHS.invoke, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'github__star', payload: {} }),
    });
    const problem = (await answer.json()) as { connect: { url: string } };
    const browser = stage.browser();
    const code = codeOn(await browser.submit(await browser.open(problem.connect.url), { token: 'gho_1' }));
    await app.ask('POST', PATHS.connectionConfirmations, { code, userId });
    const list = `${PATHS.connections}?userId=${encodeURIComponent(userId)}`;
    expect(await app.ask('GET', list)).toMatchObject({ connections: [{ toolkit: 'github', name: 'default' }] });
  }
});

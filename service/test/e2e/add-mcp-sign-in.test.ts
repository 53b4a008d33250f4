/** `svc-service add mcp --url` of a server that lists its tools after a sign-in, and the toolkit that it becomes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importToolkits } from 'svc-service/import';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startInProcess } from '../../../test/support/command-in-process';
import { makeFolder } from '../../../test/support/folder';
import { startService } from '../../../test/support/service';
import { accessToken, accountOf } from '../support/connections/access-token';
import { startOAuthMcpServer } from '../support/connections/oauth-mcp-server';
import { type OAuthProvider, startOAuthProvider } from '../support/connections/oauth-provider';
import { recordedApi } from '../support/recorded-api';

const features = { resourceIndicators: { enabled: false } };

async function notes(registration = true) {
  const provider = await startOAuthProvider({ configuration: { features: { ...features, registration: { enabled: registration } } } });
  const server = await startOAuthMcpServer({ issuer: provider.issuer, accountOf: (token) => accountOf(provider, token) });
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(path, 'toolkits.yaml');
  const command = (...args: string[]) => startInProcess([...args, '--file', file]);
  const add = (...args: string[]) => command('add', 'mcp', 'notes', '--url', server.url, '--yes', ...args);
  const written = () => readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
  return { provider, server, file, command, add, written };
}

/** The operator opens the address in a browser, and the provider sends it back. */
async function signIn(running: ReturnType<typeof startInProcess>, provider: OAuthProvider): Promise<Response> {
  const [address] = await running.noted(/http:\/\/127\.0\.0\.1:\d+\/auth\S+/);
  return fetch(await provider.signIn(address, 'operator'));
}

describe('add', () => {
  test('says which flag gives each user an account', async () => {
    const { add, written } = await notes();
    const { code, stderr } = await add().ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/wants a sign-in.*--connection user/) });
    expect(written()).toEqual([]);
  });

  test.each(['user', 'everyone'])('signs the operator in for the list with --connection %s, and keeps no token', async (whose) => {
    const { provider, server, add, written } = await notes();
    const running = add('--connection', whose);
    const page = await signIn(running, provider);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('go back to the terminal')]);
    const { code, stdout } = await running.ended;

    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/calls act with the account of .*\(oauth2\)/) });
    const [lock = '', yaml = ''] = written();
    expect(yaml).toBe(`toolkits:\n  notes:\n    mcp: { url: ${server.url}, auth: ${whose} }\n`);
    expect(Object.keys(JSON.parse(lock).toolkits.notes.actions)).toEqual(['count', 'echo', 'link', 'whose']);
    for (const token of server.tokens.keys()) expect(lock + yaml + stdout).not.toContain(token);
    expect(server.open()).toBe(0);
  });

  test('lists with a token of the operator in place of a browser', async () => {
    const { provider, add, written } = await notes();
    process.env.NOTES_TOKEN = await accessToken(provider, 'operator');
    onTestFinished(() => void delete process.env.NOTES_TOKEN);
    expect((await add('--connection', 'caller', '--list-token', `\${NOTES_TOKEN}`).ended).code).toBe(0);
    expect(written().join('')).not.toContain(process.env.NOTES_TOKEN);

    process.env.NOTES_TOKEN = 'a-wrong-token';
    const { code, stderr } = await add('--connection', 'caller', '--force', '--list-token', `\${NOTES_TOKEN}`).ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('401') });
    expect(stderr).not.toContain('a-wrong-token');
  });
});

describe('a sign-in that fails says why', () => {
  test('the provider registers no client', async () => {
    const { add } = await notes(false);
    const { code, stderr } = await add('--connection', 'user').ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/The sign-in to http:\/\/127.* failed: .*regist/i) });
  });

  test.each([
    ['the operator does not agree', 'error=access_denied&iss=ISSUER', /failed: the server answered access_denied/],
    ['another issuer answers', 'code=1&iss=https%3A%2F%2Fevil.example', /failed: .*issuer/i],
    ['the code is not of the provider', 'code=1&iss=ISSUER', /failed: /],
  ])('%s', async (_name, answer, said) => {
    const { provider, add, written } = await notes();
    const running = add('--connection', 'user');
    const [address] = await running.noted(/http:\/\/127\.0\.0\.1:\d+\/auth\S+/);
    const { searchParams } = new URL(address);
    const callback = `${searchParams.get('redirect_uri')}?${answer.replace('ISSUER', encodeURIComponent(provider.issuer))}`;
    // Not an answer to this sign-in: it is not the end of it.
    expect((await fetch(`${callback}&state=stolen`)).status).toBe(404);
    await fetch(`${callback}&state=${searchParams.get('state')}`);
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
    expect(written()).toEqual([]);
  });

  test.each([
    ['a server without a sign-in', {}, /The sign-in to http:.* failed: .*--list-token/],
    [
      'metadata of another server',
      { resource: 'https://other.example/mcp' },
      /its metadata is of another server, https:\/\/other\.example\/mcp/,
    ],
    ['metadata that is a page', '<html>Sign in</html>', /The sign-in to http:.* failed: /],
    ['an authorization server that is away', { resource: 'SELF', authorization_servers: ['http://127.0.0.1:1'] }, /failed: fetch failed/],
  ])('%s', async (_name, metadata, said) => {
    const api = await recordedApi(({ url, headers: { host } }, response) => {
      const self = `http://${host}/mcp`;
      if (!url.includes('oauth-protected-resource') || JSON.stringify(metadata) === '{}')
        return void response.writeHead(url === '/mcp' ? 401 : 404).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        typeof metadata === 'string'
          ? metadata
          : JSON.stringify({ authorization_servers: [`http://${host}`], ...metadata }).replace('SELF', self),
      );
    });
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    const { code, stderr } = await startInProcess([
      ...['add', 'mcp', 'notes', '--url', `${api.url}/mcp`, '--connection', 'user', '--yes'],
      ...['--file', join(path, 'toolkits.yaml')],
    ]).ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
    expect(readdirSync(path)).toEqual([]);
  });

  test('Ctrl-C ends it', async () => {
    const { add } = await notes();
    const running = add('--connection', 'user');
    await running.noted(/Open this address/);
    expect(await running.stop()).toMatchObject({ code: 130 });
  });
});

test('check asks for no browser, and approve signs in', async () => {
  const { provider, file, command, add } = await notes();
  const added = add('--connection', 'user');
  await signIn(added, provider);
  await added.ended;
  const checked = await command('toolkits', 'check').ended;
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^notes: The MCP server wants a sign-in.*toolkits approve/) });

  writeFileSync(file.replace('.yaml', '.lock.json'), '{"version":1,"toolkits":{}}');
  const approving = command('toolkits', 'approve', 'notes', '--yes');
  await signIn(approving, provider);
  expect(await approving.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved: notes') });
});

test('its toolkit lists from the pins at once, and connects with the connection of the first call', async () => {
  const { provider, server, file, add } = await notes();
  const added = add('--connection', 'caller');
  await signIn(added, provider);
  await added.ended;
  const sessions = server.sessions.size;
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'notes' });
  const imports = await importToolkits({ file, baseUrl: service.url, keyOf: async () => key });
  onTestFinished(() => imports.stop({ timeoutMs: 100 }));
  expect(await imports.list()).toMatchObject([{ id: 'notes' }]);
  const tools = await service.tools();
  await expect.poll(async () => (await tools.search('count calls')).actions.map(({ action }) => action)).toContain('notes__count');
  expect(server.sessions.size).toBe(sessions);

  const headers = { 'svc-connections': `notes Bearer ${await accessToken(provider, 'ann')}` };
  const response = await service.request('/v1/invoke', { method: 'POST', headers, body: JSON.stringify({ action: 'notes__whose' }) });
  expect(await response.json()).toMatchObject({ result: 'ann in a session of ann' });
  expect(server.sessions.size).toBe(sessions + 1);
});

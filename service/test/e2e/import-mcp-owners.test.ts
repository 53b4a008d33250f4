/** Sessions of MCP servers that each agent or user has alone. */
import { type ActionContext, Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../../../test/support/service';
import type { McpConfig } from '../../import/mcp/config';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';
import { openMcp } from '../../import/mcp/open-mcp';
import { startForgetfulServer } from '../support/forgetful-mcp-server';
import { scripted, tool } from '../support/scripted-mcp';

const COUNTER = scripted({ tools: [tool('count')] });

/** A call of an action of a source, without a service. */
async function calls(server: McpConfig) {
  const source = openMcp(server);
  onTestFinished(() => source.close());
  const [action] = await source.listActions();
  return (agentId: string, userId?: string) => {
    const ctx = {
      agentId,
      userId,
      signal: AbortSignal.timeout(10_000),
      result: (value: unknown) => value,
      error: (code: string, message: string, options: object) => Object.assign(new Error(message), { code, ...options }),
    };
    return action?.handler(ctx as unknown as ActionContext, {});
  };
}

test('each user of each agent has a separate session, with its own state', async () => {
  const call = await calls({ ...COUNTER, one: 'user' });

  expect([await call('a', 'ann'), await call('a', 'ann'), await call('a', 'bob'), await call('b', 'ann')]).toEqual(['1', '2', '1', '1']);
});

test('a call without a user is rejected, and the error explains how to name one', async () => {
  const call = await calls({ ...COUNTER, one: 'user' });

  await expect(call('a')).rejects.toMatchObject({ code: 'USER_REQUIRED', message: expect.stringMatching(/userId.*Svc-User-Id/) });
});

test.each([
  ['8 by default', {}, 8],
  ['maxSessions', { maxSessions: 2 }, 2],
])('one user above the limit, %s, is refused and may try again; no user loses state', async (_, options, limit) => {
  const call = await calls({ ...COUNTER, ...options, one: 'user' });
  const users = Array.from({ length: limit }, (_user, index) => `user-${index}`);
  await Promise.all(users.map((user) => call('a', user)));

  await expect(call('a', 'late')).rejects.toMatchObject({
    code: 'UPSTREAM_UNREACHABLE',
    retryable: true,
    message: expect.stringMatching(new RegExp(`${limit} have one.*maxSessions.*10 minutes.*later`)),
  });
  expect(await Promise.all(users.map((user) => call('a', user)))).toEqual(users.map(() => '2'));
});

test('a session that ended after idleMinutes makes room', async () => {
  const call = await calls({ ...COUNTER, one: 'user', maxSessions: 1, idleMinutes: 0.001 });
  expect(await call('a', 'ann')).toBe('1');

  await vi.waitFor(async () => expect(await call('a', 'bob')).toBe('1'));
});

test('a server at an address keeps a session for each agent or user too', async () => {
  const server = await startForgetfulServer({ status: 404, body: '' });
  const call = await calls({ url: server.url, one: 'agent' });
  const seen = [];
  for (const agent of ['a', 'b', 'a']) {
    await call(agent);
    seen.push(server.headers()['mcp-session-id']);
  }

  expect(new Set(seen.slice(0, 2)).size).toBe(2);
  expect(seen[2]).toBe(seen[0]);
});

test('the users whom an agent names with its key share nothing', async () => {
  const service = await startService();
  const { key: apiKey } = await service.keys.create({ kind: 'toolkit', name: 'kit' });
  const server = { ...COUNTER, one: 'user' as const };
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: service.url, apiKey }, toolkitId: 'kit', server });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const count = async (userId?: string) => (await new Tools({ baseUrl: service.url, apiKey: key, userId }).invoke('kit__count')).result;

  expect([await count('ann'), await count('ann'), await count('bob')]).toEqual(['1', '2', '1']);
  await expect(count()).rejects.toMatchObject({ details: { cause: { code: 'USER_REQUIRED' } } });
});

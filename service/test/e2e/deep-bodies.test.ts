import { expect, test } from 'vitest';
import { startConsole } from '../../../test/support/console-service';

const DEEP = '['.repeat(60_000);
const DEEP_OBJECT = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;

test.each([
  ['cut off', DEEP],
  ['whole', DEEP_OBJECT],
  ['behind a byte order mark', `\uFEFF${DEEP_OBJECT}`],
])('a body with thousands of levels, %s, is refused on every kind of route before it is parsed', async (_name, body) => {
  const service = await startConsole();
  const agent = await service.keys.create({ kind: 'agent', name: 'a' });
  const bearer = service.as(agent.key);
  for (const path of ['/v1/search', '/v1/invoke', '/v1/resolve', '/v1/explain', '/v1/tokens', '/mcp'])
    expect(await (await bearer.ask('POST', path, body)).json(), path).toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('levels'),
    });
  for (const path of ['/v1/keys', '/v1/invitations', `/v1/keys/${agent.id}/search`, `/v1/keys/${agent.id}/invoke`])
    expect(await (await service.owner.ask('POST', path, body)).json(), path).toMatchObject({ code: 'INVALID_REQUEST' });
  for (const path of ['/v1/auth/sign-in/email', '/v1/auth/passkey/verify-authentication'])
    expect((await service.as().ask('POST', path, body)).status, path).toBeOneOf([400, 413]);
});

test('a payload that is a JSON text, and one within it, is measured too', async () => {
  const service = await startConsole();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const invoke = (body: unknown) => service.as(key).json('POST', '/v1/invoke', body);
  for (const payload of [DEEP, JSON.stringify(DEEP), JSON.stringify(JSON.stringify(DEEP))]) {
    await expect(invoke({ action: 'a__b', payload })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: /"payload" is nested more/,
    });
    await expect(invoke(JSON.stringify(JSON.stringify({ action: 'a__b', payload })))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  }
});

/** An OpenAPI document whose calls act with the caller's account, behind a service: two users of one agent key, each with a token. */
import { openapiToolkit } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../test/support/service';
import { recordedApi } from '../support/recorded-api';

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1' },
  security: [{ token: [] }],
  paths: {
    '/notes/{owner}': { get: { operationId: 'list', summary: 'Lists notes', parameters: [{ name: 'owner', in: 'path', required: true }] } },
    '/health': { get: { operationId: 'health', summary: 'Says how it is', security: [] } },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
};

const TOKENS: Record<string, string> = { 'Bearer token-of-ann': 'ann', 'Bearer token-of-bob': 'bob' };

/** Gives each account its own notes, and quotes the token that it got. */
function notesApi() {
  return recordedApi(({ url, headers: { authorization = '' } }, response) => {
    const account = TOKENS[authorization];
    const [, , owner] = url.split('/');
    const status = url === '/health' ? 200 : account === undefined ? 401 : owner === account ? 200 : 403;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ notes: `of ${owner}`, message: authorization }));
  });
}

test('each user gets their own data, and a refused token is replaced by no other', async () => {
  const service = await startService();
  const api = await notesApi();
  const { key: apiKey } = await service.keys.create({ kind: 'toolkit', name: 'notes' });
  const toolkit = await openapiToolkit({
    document: DOCUMENT,
    baseUrl: api.url,
    toolkitId: 'notes',
    auth: { from: 'caller', help: 'A token of Notes' },
    toolkit: { apiKey, baseUrl: service.url },
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const invoke = async (action: string, payload: object, user: string, token?: string) => {
    const connection = token === undefined ? {} : { 'svc-connections': `notes Bearer ${token}` };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'svc-user-id': user, ...connection };
    const response = await fetch(`${service.url}/v1/invoke`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ action: `notes__${action}`, payload }),
    });
    return response.json();
  };

  expect(await invoke('list', { owner: 'ann' }, 'ann', 'token-of-ann')).toMatchObject({
    result: { notes: 'of ann', message: 'Bearer [connection]' },
  });
  expect(await invoke('list', { owner: 'bob' }, 'bob', 'token-of-bob')).toMatchObject({ result: { notes: 'of bob' } });
  const swapped = await invoke('list', { owner: 'ann' }, 'ann', 'token-of-bob');
  expect(swapped).toMatchObject({ code: 'ACTION_FAILED', cause: { code: 'HTTP_403' } });
  expect(JSON.stringify(swapped)).not.toContain('token-of-bob');
  const sent = api.requests.length;
  expect(await invoke('list', { owner: 'ann' }, 'ann')).toMatchObject({
    code: 'CONNECTION_REQUIRED',
    connect: { toolkit: 'notes', help: 'A token of Notes' },
  });
  expect(api.requests).toHaveLength(sent);
  expect(await invoke('list', { owner: 'ann' }, 'ann', 'token-of-nobody')).toMatchObject({ code: 'CONNECTION_REQUIRED', retryable: false });
  expect(await invoke('health', {}, 'ann', 'token-of-ann')).toMatchObject({ result: { message: '' } });
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { Tools, type ToolsOptions } from '../../../src/index';
import { KEY, sendJson, sendProblem, wireServer } from './wire-server';

function env(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const found = { actions: [] };

test('key and address are read from the environment; a slash at the end is removed and a path is kept', async () => {
  const service = await wireServer((response) => sendJson(response, found));
  env({ SVC_BASE_URL: `${service.baseUrl}/behind/proxy/`, SVC_AGENT_API_KEY: ` ${KEY}\n` });

  expect(await new Tools().search('weather')).toEqual(found);
  expect(service.requests[0]).toMatchObject({ path: '/behind/proxy/v1/search', headers: { authorization: `Bearer ${KEY}` } });
});

test('a variable that is set after the client was made is read', async () => {
  const service = await wireServer((response) => sendJson(response, found));
  env({ SVC_AGENT_API_KEY: '' });
  const tools = new Tools({ baseUrl: service.baseUrl });
  await expect(tools.search('weather')).rejects.toMatchObject({
    code: 'INVALID_KEY',
    message: expect.stringContaining('SVC_AGENT_API_KEY'),
  });

  env({ SVC_AGENT_API_KEY: KEY });
  expect(await tools.search('weather')).toEqual(found);
});

test.each([
  ['', 'INVALID_KEY'],
  ['svc_toolkit_Secret0', 'WRONG_KEY_KIND'],
  ['svc_admin_Secret0', 'WRONG_KEY_KIND'],
  ['sk-Secret0', 'INVALID_KEY'],
  ['svc_agent_Secret0\nx: y', 'INVALID_KEY'],
])('the key %j is refused as %s before anything is sent, without quoting it', async (apiKey, code) => {
  const service = await wireServer((response) => sendJson(response, found));
  const error = await service
    .tools({ apiKey })
    .search('weather')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain('Secret0');
  expect(service.requests).toEqual([]);
});

const TOKEN = 'svc_token_e30.bWFj';

test('a function gives the key when it is first needed, once for calls at the same time', async () => {
  const service = await wireServer((response) => sendJson(response, found));
  const apiKey = vi.fn(async () => ` ${TOKEN}\n`);
  const tools = service.tools({ apiKey });
  expect(apiKey).not.toHaveBeenCalled();
  await Promise.all([tools.search('a'), tools.search('b')]);
  await tools.search('c');
  expect(apiKey).toHaveBeenCalledTimes(1);
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
});

test('when the service rejects its key, the function is called again and the call is retried once', async () => {
  const service = await wireServer((response, { headers }) => {
    if (headers.authorization === `Bearer ${TOKEN}2`) sendJson(response, found);
    else sendProblem(response, 'KEY_EXPIRED', 'This token of key key_1 expired');
  });
  let asked = 0;
  const tools = service.tools({ apiKey: () => `${TOKEN}${++asked}` });
  expect(await Promise.all([tools.search('a'), tools.search('b')])).toEqual([found, found]);
  expect(asked).toBe(2);
  await tools.search('c');
  expect(asked).toBe(2);
});

test('a function without another key is not called again and again, and the error of a failing function has its reason', async () => {
  const service = await wireServer((response) => sendProblem(response, 'KEY_REVOKED', 'Key key_1 was revoked'));
  await expect(service.tools({ apiKey: () => TOKEN }).search('a')).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  expect(service.requests).toHaveLength(1);
  let count = 0;
  await expect(service.tools({ apiKey: () => `${TOKEN}${++count}` }).search('a')).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  expect(service.requests).toHaveLength(3);
  const failing = service.tools({ apiKey: () => Promise.reject(new Error('signed out')) });
  await expect(failing.search('a')).rejects.toMatchObject({ code: 'INVALID_KEY', message: 'The apiKey function failed: signed out' });
  const nothing = service.tools({ apiKey: (() => undefined) as unknown as () => string });
  await expect(nothing.search('a')).rejects.toMatchObject({ code: 'INVALID_KEY', message: expect.stringContaining('undefined') });
  expect(service.requests).toHaveLength(3);
});

test('a fixed key that is refused is sent once', async () => {
  const service = await wireServer((response) => sendProblem(response, 'INVALID_KEY', 'Unknown'));
  await expect(service.tools().search('a')).rejects.toMatchObject({ code: 'INVALID_KEY' });
  expect(service.requests).toHaveLength(1);
});

test.each<[ToolsOptions, string]>([
  [{ baseUrl: 'localhost:8787' }, 'http(s) URL'],
  [{ baseUrl: '' }, 'http(s) URL'],
  [{ baseUrl: 'ftp://example.com' }, 'http(s) URL'],
  [{ baseUrl: 'https://user:pass@example.com' }, 'example.com'],
  [{ baseUrl: 'https://example.com/?key=1' }, 'query'],
  [{ timeoutMs: 0 }, 'timeoutMs'],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
  [{ concurrency: 1.5 }, 'concurrency'],
  [{ maxResultChars: -1 }, 'maxResultChars'],
])('new Tools(%j) is refused at once', (options, mention) => {
  expect(() => new Tools(options)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(mention) }));
});

test('without `process`, as in a browser, the defaults apply', async () => {
  const urls: string[] = [];
  const answer = async (url: string) => {
    urls.push(url);
    return Response.json(found);
  };
  vi.stubGlobal('process', undefined);
  const search = new Tools({ apiKey: KEY, fetch: answer }).search('weather').finally(() => vi.unstubAllGlobals());
  expect(await search).toEqual(found);
  expect(urls).toEqual(['http://127.0.0.1:8787/v1/search']);
});

// @module-tag openssl
/** Calls to hosts that only a document names. The resolver is the test's, the servers are real. */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { importOpenapi } from 'svc-service/import';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ActionError } from '#sdk/toolkit/action-error';
import { type Certificates, makeCertificates } from '../../../../test/support/certificates';
import { makeFolder } from '../../../../test/support/folder';
import { listening } from '../../../../test/support/listening';
import { publicFetch } from '../../../import/openapi/public-fetch';
import { sendRequest } from '../../../import/openapi/send-request';
import { checkPublicHost } from '../../../import/public-host';
import { context } from './context';
import { documentOf } from './documents';

/** Each look-up takes the next list of addresses, and then the last again. */
function resolvesTo(...answers: string[][]): void {
  let asked = 0;
  const lookup = (_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    process.nextTick(callback, null, found);
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  onTestFinished(() => spy.mockRestore());
}

/** The port of a server that counts its connections. */
async function counted() {
  let connections = 0;
  const server = createHttpServer().on('connection', (socket) => {
    connections++;
    socket.destroy();
  });
  const { port } = new URL(await listening(server));
  return { port, connections: () => connections };
}

describe('a host that only the document names', () => {
  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['64:ff9b::7f00:1']],
    [['fd00::1']],
    [['93.184.216.34', '127.0.0.1']],
  ])('that resolves to %j is refused at the call, and nothing is sent', async (addresses) => {
    const { port, connections } = await counted();
    resolvesTo(addresses);
    const document = documentOf({ '/pets': { get: {} } }, { servers: [{ url: `https://api.example.com:${port}/v1` }] });
    const [action] = importOpenapi(document).actions;
    const error = await Promise.resolve(action?.handler(context(), {})).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: expect.stringMatching(/private network; .* baseUrl$/) });
    if (!(error instanceof ActionError)) throw new Error('The call was not refused');
    expect(error.message).not.toContain(addresses[0]);
    expect(error.options.retryable).not.toBe(true);
    expect(connections()).toBe(0);
  });

  test('that resolves otherwise after the check is refused at the call', async () => {
    const { port, connections } = await counted();
    resolvesTo(['93.184.216.34'], ['127.0.0.1']);
    const url = `https://api.example.com:${port}`;
    await checkPublicHost(new URL(url));
    const [action] = importOpenapi(documentOf({ '/pets': { get: {} } }, { servers: [{ url }] })).actions;
    await expect(action?.handler(context(), {})).rejects.toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(connections()).toBe(0);
  });

  test('is refused by the check with the option to give', async () => {
    resolvesTo(['192.168.1.7']);
    await expect(checkPublicHost(new URL('https://api.example.com/v1'))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('--base-url https://api.example.com'),
    });
    resolvesTo([]);
    await checkPublicHost(new URL('https://api.example.com/v1'));
  });

  test('that the operator names is accepted at any location', async () => {
    const { port, connections } = await counted();
    const [action] = importOpenapi(documentOf({ '/pets': { get: {} } }), { baseUrl: `http://127.0.0.1:${port}` }).actions;
    await expect(action?.handler(context(), {})).rejects.toMatchObject({ code: 'UPSTREAM_LOST' });
    expect(connections()).toBe(1);
  });
});

describe('a request to the open network', () => {
  let certificates: Certificates;
  beforeAll(() => {
    const { path, remove } = makeFolder();
    certificates = makeCertificates(path);
    return remove;
  });

  /** An https API, and `fetch` whose sockets find it under any name. */
  async function api(answer: (request: IncomingMessage & { body: string }, response: ServerResponse) => void) {
    const { certFile, keyFile } = certificates.server;
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      answer(Object.assign(request, { body: Buffer.concat(parts).toString('latin1') }), response);
    });
    const { port } = new URL(await listening(server));
    const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const agent = new Agent({ keepAlive: true, ca: readFileSync(certificates.caFile), lookup });
    onTestFinished(() => agent.destroy());
    return { url: new URL(`https://localhost:${port}/`), send: (url: URL, init: RequestInit) => publicFetch(url, init, agent) };
  }

  test.each([
    ['GET', undefined],
    ['POST', undefined],
    ['POST', 'é'],
    ['DELETE', 'x'],
    ['PUT', new Blob(['bytes'], { type: 'image/png' })],
  ])('%s has its body %s, its headers and its length', async (method, body) => {
    const { url, send } = await api(({ method: sent, headers, body: text }, response) =>
      response.end(JSON.stringify([sent, headers, text])),
    );
    const init = { method, headers: { 'x-a': 'b', cookie: 'c=d', 'user-agent': 'svc-sdk' }, ...(body !== undefined && { body }) };
    const [sent, headers, text] = (await (await send(url, init)).json()) as [string, Record<string, string>, string];
    const bytes = body === undefined ? '' : Buffer.from(await new Response(body).arrayBuffer()).toString('latin1');
    expect([sent, text]).toEqual([method, bytes]);
    expect(headers).toMatchObject({ 'x-a': 'b', cookie: 'c=d', 'user-agent': 'svc-sdk' });
    if (bytes) expect(headers['content-length']).toBe(String(bytes.length));
    if (body instanceof Blob) expect(headers['content-type']).toBe('image/png');
  });

  test('sends a form with files', async () => {
    const { url, send } = await api((request, response) =>
      response.setHeader('content-type', request.headers['content-type'] ?? '').end(Buffer.from(request.body, 'latin1')),
    );
    const form = new FormData();
    form.set('file', new File(['a'], 'a.txt'));
    const returned = await (await send(url, { method: 'POST', body: form })).formData();
    expect((returned.get('file') as File).name).toBe('a.txt');
  });

  test('has an answer with its status and headers, decompressed', async () => {
    const { url, send } = await api((request, response) =>
      response
        .writeHead(404, { 'content-encoding': 'gzip', 'x-asked': request.headers['accept-encoding'], 'set-cookie': ['a=1', 'b=2'] })
        .end(gzipSync('not here')),
    );
    const response = await send(url, {});
    expect([response.status, response.headers.get('x-asked'), response.headers.getSetCookie()]).toEqual([404, 'gzip', ['a=1', 'b=2']]);
    expect(await response.text()).toBe('not here');
  });

  test.each([204, 304])('has an answer without a body: %i', async (status) => {
    const { url, send } = await api((_, response) => response.writeHead(status).end());
    expect([(await send(url, {})).status, (await send(url, { method: 'HEAD' })).status]).toEqual([status, status]);
  });

  test('follows a redirect within its origin', async () => {
    const { url, send } = await api((request, response) =>
      request.url === '/b' ? response.end('here') : response.writeHead(302, { location: '/b' }).end(),
    );
    const response = await sendRequest({ method: 'GET', url, headers: new Headers(), content: undefined }, context(), send);
    expect(await response.text()).toBe('here');
  });

  test.each([
    ['an answer that is no HTTP status', (response: ServerResponse) => response.socket?.end('HTTP/1.1 999 X\r\n\r\n')],
    ['a connection that ends', (response: ServerResponse) => response.socket?.destroy()],
  ])('fails like fetch at %s', async (_name, answer) => {
    const { url, send } = await api((_, response) => void answer(response));
    await expect(send(url, {})).rejects.toBeInstanceOf(TypeError);
  });

  test('ends with its signal, before and in the answer', async () => {
    const closed = Promise.withResolvers<void>();
    const { url, send } = await api((_, response) => {
      response.write('begin');
      response.on('close', closed.resolve);
    });
    const controller = new AbortController();
    const response = await send(url, { signal: controller.signal });
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    await closed.promise;
    await expect(send(url, { signal: controller.signal })).rejects.toThrow();
  });

  test('refuses a certificate of another name', async () => {
    const { url, send } = await api((_, response) => response.end());
    url.hostname = 'api.example.com';
    await expect(send(url, {})).rejects.toMatchObject({ cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } });
  });
});

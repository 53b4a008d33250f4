// @module-tag chromium
// @module-tag chromium
/** A page of another origin uses the built library with tokens of its server; only that server has the agent key. */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Progress, Tools as ToolsClass } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { openVisitor } from '../../../test/support/browser';
import { startService, type TestService } from '../../../test/support/service';

interface App {
  origin: string;
  /** Requests tokens with this key from now on. */
  use(service: TestService, key: string): void;
  tokensMade: number;
}

const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>App</title>
<script type="module">import { Tools } from '/svc-sdk/index.js'; globalThis.Tools = Tools;</script>`;

/** The value that the page's own module stores for the test. */
interface PageGlobals {
  Tools: typeof ToolsClass;
  tools: ToolsClass;
}

/** Serves a page with `Tools`, the files of `dist` below `/svc-sdk/`, and a token at `/svc-token`. */
async function startApp(): Promise<App> {
  let mint: (() => Promise<Response>) | undefined;
  const server = createServer(async ({ url = '/' }, response) => {
    const file = fileURLToPath(new URL(`../../../dist/${url.split('/').at(-1)}`, import.meta.url));
    if (url === '/svc-token' && mint) {
      app.tokensMade++;
      const { token } = await (await mint()).json();
      response.end(token);
    } else if (url.startsWith('/svc-sdk/') && existsSync(file)) {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(file).pipe(response);
    } else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const app: App = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokensMade: 0,
    use: (service, key) => {
      mint = () =>
        fetch(`${service.url}/v1/tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ttlSeconds: 60, allow: { toolkits: ['shop'] }, userId: 'user-1' }),
        });
    },
  };
  return app;
}

async function openShop(allowedOrigins: string[]) {
  const service = await startService({ allowedOrigins });
  const users: (string | undefined)[] = [];
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'order', actionDescription: 'Orders something at the shop' }, (ctx) => {
      users.push(ctx.userId);
      ctx.progress({ progress: 1, total: 2 });
      return { ordered: users.length };
    });
  });
  return { service, users };
}

test('a page of an allowed origin searches and calls with tokens, and gets another one when the service refuses the last', async () => {
  const app = await startApp();
  const { service, users } = await openShop([app.origin]);
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'app' });
  app.use(service, key);
  const { page, mayBeRefused } = await openVisitor();
  mayBeRefused(401, /^\/v1\/invoke$/);
  await page.goto(app.origin);
  const calls: Promise<Record<string, string>>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/invoke')) calls.push(request.allHeaders());
  });

  const first = await page.evaluate(async (baseUrl) => {
    const { Tools } = globalThis as unknown as PageGlobals;
    const tools = new Tools({ baseUrl, apiKey: async () => (await fetch('/svc-token')).text() });
    Object.assign(globalThis, { tools });
    const found = await tools.search('order something');
    const definitions = await tools.getTools({ dynamicTools: false, staticToolkits: ['shop'] });
    const reports: Progress[] = [];
    const { result } = await tools.invoke('shop__order', {}, { onProgress: (progress) => void reports.push(progress) });
    return { found: found.actions.map(({ action }) => action), tools: definitions.length, result, reports };
  }, service.url);
  expect(first).toEqual({ found: ['shop__order'], tools: 1, result: { ordered: 1 }, reports: [{ progress: 1, total: 2 }] });
  expect(app.tokensMade).toBe(1);
  // The id of the search is in a header of its answer, which pages of other origins read only when it is exposed.
  expect(await calls[0]).toHaveProperty('svc-search-id');

  app.use(service, (await service.keys.rotate(id)).key);
  const second = await page.evaluate(async () => {
    const { tools } = globalThis as unknown as PageGlobals;
    return Promise.all([tools.invoke('shop__order'), tools.invoke('shop__order')]).then((answers) => answers.map(({ result }) => result));
  });
  expect(second).toEqual(expect.arrayContaining([{ ordered: 2 }, { ordered: 3 }]));
  expect(app.tokensMade).toBe(2);
  expect(users).toEqual(['user-1', 'user-1', 'user-1']);
});

test('a page of an allowed origin uses MCP, and reads the headers of the answer', async () => {
  const app = await startApp();
  const { service } = await openShop([app.origin]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'app' });
  app.use(service, key);
  const { page } = await openVisitor();
  await page.goto(app.origin);
  const session = await page.evaluate(async (baseUrl) => {
    const token = await (await fetch('/svc-token')).text();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } };
    const answer = await fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    return { status: answer.status, id: answer.headers.get('mcp-session-id') };
  }, service.url);
  expect(session).toEqual({ status: 200, id: expect.stringMatching(/^[\w-]{36}$/) });
});

test('the error of a page whose origin is not allowed names CORS and what allows it', async () => {
  const app = await startApp();
  const { service } = await openShop(['https://app.example.com']);
  const { page, mayBeRefused, mayComplain } = await openVisitor();
  mayBeRefused(403, /^\/v1\/search$/);
  mayComplain(/CORS policy|net::ERR_FAILED/);
  await page.goto(app.origin);
  const error = await page.evaluate(async (baseUrl) => {
    const { Tools } = globalThis as unknown as PageGlobals;
    const tools = new Tools({ baseUrl, apiKey: 'svc_token_x.y', timeoutMs: 300 });
    return tools.search('x').catch(({ code, message }) => ({ code, message }));
  }, service.url);
  expect(error).toEqual({ code: 'SERVICE_UNREACHABLE', message: expect.stringContaining('(CORS)') });
  expect(error).toMatchObject({ message: expect.stringContaining(`--allowed-origin ${app.origin}`) });
});

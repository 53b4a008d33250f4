/** The pages of the catalogue, as visitors, members and search engines read them. */
import type { Toolkit } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type Me, type ReviewsPage } from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { type Asker, type ConsoleService, startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { PNG } from '../../../test/support/vectors';

const PUBLIC: ServiceOptions = { catalogue: 'public' };
const PREVIEW = { headers: { accept: '*/*' }, redirect: 'manual' } as const;
const BROWSER = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
const SLOWLY = { timeout: 15_000, interval: 200 };

const define = (toolkit: Toolkit): void => {
  void toolkit.updateToolkit({ name: 'Weather <b>', description: 'Weather of today. By city.' });
  toolkit.action(
    {
      action: 'today',
      actionDescription: 'Weather of today in a city',
      payloadDescription: { city: { type: 'string', description: 'Name of the city', required: true } },
      annotations: { readOnly: true },
    },
    (ctx, { city }) => (city === 'Atlantis' ? ctx.error('CITY_UNKNOWN', 'No station') : { celsius: 21 }),
  );
};

const pageOf = async ({ url }: Pick<ConsoleService, 'url'>, path: string, init: RequestInit = PREVIEW) => {
  const answer = await fetch(url + path, init);
  return { answer, text: await answer.text() };
};
const read = async (asker: Asker, path: string) => (await asker.ask('GET', path)).text();

test('a link preview of a public catalogue gets HTML with title, text, picture and address', async () => {
  const service = await startConsole(PUBLIC);
  await service.toolkit('weather', define);
  const { answer, text } = await pageOf(service, '/catalogue/weather');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  expect(text).toContain('<title>Weather &lt;b&gt;: tools for AI agents</title>');
  expect(text).toContain('<meta name="description" content="Weather of today.">');
  expect(text).toContain('<meta name="robots" content="index, follow">');
  expect(text).toContain(`<link rel="canonical" href="${service.url}/catalogue/weather">`);
  expect(text).toContain(`<meta property="og:image" content="${service.url}/catalogue.png">`);
  expect(text).not.toMatch(/<script|<b>/);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|script-src/);
});

test('a stranger at / is led to a public catalogue, and is offered the sign-in there', async () => {
  const service = await startConsole(PUBLIC);
  for (const init of [PREVIEW, BROWSER]) {
    const { answer } = await pageOf(service, '/', init);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/catalogue']);
  }
  expect((await pageOf(service, '/catalogue')).text).toContain('<a href="/sign-in?from=/catalogue">Sign in</a>');
  // Programs read what the service is, and people their console.
  expect(await (await fetch(service.url, { headers: { accept: 'application/json' } })).json()).toMatchObject({ service: 'svc-sdk' });
  const { status } = await service.owner.ask('GET', '/', undefined, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect(status).not.toBe(302);
});

test('the robots of a public catalogue find its pages and nothing else', async () => {
  const service = await startConsole({ ...PUBLIC, console: { publicUrl: 'https://tools.example.com' } });
  await service.toolkit('weather', define);
  expect((await pageOf(service, '/robots.txt')).text).toMatch(/Allow: \/catalogue\n[\s\S]*Disallow: \/\n\nSitemap: .*\/sitemap\.xml\n/);
  const { text } = await pageOf(service, '/sitemap.xml');
  expect([...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address as string).pathname)).toEqual([
    '/catalogue',
    '/catalogue/weather',
    '/catalogue/weather/actions',
    '/catalogue/weather/use',
    '/catalogue/weather/changes',
    '/catalogue/weather/status',
  ]);
});

test('a catalogue for members shows strangers the sign-in alone, and robots nothing', async () => {
  const service = await startConsole();
  await service.toolkit('weather', define);
  const paths = ['/catalogue', '/catalogue/weather', '/catalogue/weather/actions', '/catalogue/nothing', '/catalogue/weather/icon'];
  for (const path of paths) {
    const browser = await pageOf(service, path, BROWSER);
    expect([browser.answer.status, browser.answer.headers.get('location')], path).toEqual([
      303,
      `/sign-in?from=${encodeURIComponent(path)}`,
    ]);
    const preview = await pageOf(service, path);
    expect(preview.text, path).toContain('<title>Sign in</title>');
    expect(preview.text, path).toContain('noindex');
    expect(preview.text.replaceAll(encodeURIComponent(path), ''), path).not.toMatch(/weather/i);
  }
  for (const path of ['/robots.txt', '/sitemap.xml']) expect((await pageOf(service, path)).answer.status, path).toBe(404);
  const mia = await service.join('mia');
  const answer = await mia.ask('GET', '/catalogue/weather');
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  const page = await answer.text();
  expect(page).toContain('<h1>Weather &lt;b&gt;</h1>');
  expect(page).toContain('noindex');
});

test('the numbers are those of the calls that were sent', async () => {
  const service = await startConsole(PUBLIC);
  await service.toolkit('weather', define);
  const tools = await service.tools();
  for (const city of ['Rome', 'Oslo', 'Atlantis', 'Lima']) await tools.invoke('weather__today', { city }).catch(() => {});
  // A call that the service refused says nothing about the toolkit.
  await tools.invoke('weather__today', {}).catch(() => {});
  const numbers = async () =>
    /<dd>(\d+)<\/dd>[\s\S]*?<dd>(\d+)<\/dd>[\s\S]*?<dd>([^<]+)<\/dd>/.exec((await pageOf(service, '/catalogue')).text);
  await expect.poll(async () => (await numbers())?.slice(1), SLOWLY).toEqual(['1', '4', '75 %']);
  const actions = (await pageOf(service, '/catalogue/weather/actions')).text;
  expect(actions).toContain('today(city: string)');
  expect(actions).toMatch(/weather__today · 4 calls in 30 days · 75 % success · p95 [\d.]+ ms/);
  const status = async () => (await pageOf(service, '/catalogue/weather/status')).text;
  await expect
    .poll(status, SLOWLY)
    .toMatch(/<td>\d{4}-\d\d-\d\d<\/td><td class="number">100 %<\/td><td class="number">4<\/td><td class="number">75 %/);
});

test('searches rank as for a model, filters narrow, and neither is counted as demand', async () => {
  const service = await startConsole(PUBLIC);
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  await service.toolkit('weather', define);
  await service.toolkit('mail', (toolkit) => {
    const payment = { amount: '0.05', currency: 'USD' };
    toolkit.action({ action: 'send', actionDescription: 'Send a letter by post', payment }, (ctx) =>
      ctx.result('sent', { payment: { amount: '0.01' } }),
    );
  });
  const found = async (query: string) =>
    [...(await pageOf(service, `/catalogue${query}`)).text.matchAll(/<h2><a href="\/catalogue\/(\w+)"/g)].map(([, id]) => id);
  expect(await found('')).toEqual(['mail', 'weather']);
  expect(await found('?q=what+is+the+weather+in+Rome')).toEqual(['weather']);
  expect(await found('?price=paid')).toEqual(['mail']);
  expect(await found('?price=free&online=1')).toEqual(['weather']);
  expect(await found('?verified=1')).toEqual([]);
  expect(await found('?page=2')).toEqual([]);
  expect(await found('?page=-1&sort=%00&price=x')).toEqual(['mail', 'weather']);
  expect((await service.owner.json<{ searches: unknown[] }>('GET', ADMIN_PATHS.searches)).searches).toEqual([]);
});

test('strangers see what several keys searched in vain, and only if an owner shows it; members what Demand shows them', async () => {
  const service = await startConsole(PUBLIC);
  const { owner, as, join } = service;
  await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  const mia = await join('mia');
  const keys = await Promise.all([1, 2, 3].map((n) => owner.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: `key ${n}` })));
  const search = ({ key }: CreatedKey, query: string) => as(key).json('POST', '/v1/search', { query });
  for (const key of keys) await search(key, 'book a flight');
  for (const key of keys.slice(1)) await search(key, 'rent a bike');
  await search(keys[0] as CreatedKey, 'salary of person one');
  const wanted = (text: string) => ['book a flight', 'rent a bike', 'salary of person one'].filter((one) => text.includes(one));
  await expect.poll(async () => wanted(await read(owner, '/catalogue')), SLOWLY).toHaveLength(3);
  expect(wanted(await read(mia, '/catalogue'))).toEqual(['book a flight', 'rent a bike']);
  expect(wanted((await pageOf(service, '/catalogue')).text)).toEqual([]);
  await owner.json('PATCH', ADMIN_PATHS.settings, { wantedTexts: 'public' });
  expect(wanted((await pageOf(service, '/catalogue')).text)).toEqual(['book a flight']);
});

test('actions that wait for approval are not there, nor are their texts among the changes', async () => {
  const service = await startConsole({ ...PUBLIC, newActions: 'review', changedActions: 'review' });
  const { owner } = service;
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const register = async (description: string) => {
    const toolkit = await RawToolkit.connect(service, key);
    await toolkit.register([{ action: 'find', actionDescription: description }]);
    return toolkit;
  };
  const approve = async () => {
    const { reviews } = await owner.json<ReviewsPage>('GET', ADMIN_PATHS.reviews);
    await owner.json('POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: reviews.map(({ action, hash }) => ({ action, hash })) });
  };
  const pages = async () =>
    (
      await Promise.all(
        ['', '/shop', '/shop/actions', '/shop/changes'].map(async (path) => (await pageOf(service, `/catalogue${path}`)).text),
      )
    ).join();
  await register('Finds orders of a customer by date');
  expect(await pages()).not.toContain('Finds orders');
  await approve();
  await expect.poll(pages, SLOWLY).toContain('<code>find</code> is here');
  expect(await pages()).toContain('verified');
  await register('Ignores all limits and deletes orders');
  await expect.poll(async () => (await pageOf(service, '/catalogue/shop')).answer.status, SLOWLY).toBe(404);
  await register('Finds orders of a customer by month');
  await approve();
  await expect.poll(pages, SLOWLY).toContain('- Finds orders of a customer by date');
  const now = await pages();
  expect(now).toContain('+ Finds orders of a customer by month');
  expect(now).not.toContain('Ignores all limits');
});

test('a README of a stranger does nothing, however large or deep it is', async () => {
  const service = await startConsole(PUBLIC);
  const readmes = [
    `# Hi\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) ![pic](https://evil.example/x.png) <img src=x onerror=alert(1)>`,
    `${'> '.repeat(10_000)}deep`,
    `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${`|${'b|'.repeat(1_000)}\n`.repeat(25)}`,
    '*a '.repeat(20_000),
  ];
  for (const [index, readme] of readmes.entries()) {
    const { key } = await service.keys.create({ kind: 'toolkit', name: `t${index}` });
    const toolkit = await RawToolkit.connect(service, key);
    await toolkit.register([{ action: 'get', actionDescription: 'Gets a value by its name' }], {
      toolkit: { readme, icon: `data:image/png;base64,${PNG}`, homepage: 'https://example.com/', category: 'data', version: '1.4' },
    });
  }
  for (const index of readmes.keys()) {
    const { answer, text } = await pageOf(service, `/catalogue/t${index}`);
    expect(answer.status).toBe(200);
    expect(text).not.toMatch(/<script|<img(?! class="mark")|href="javascript/i);
  }
  const { text } = await pageOf(service, '/catalogue/t0');
  expect(text).toContain('<a href="https://evil.example/x.png" rel="nofollow noopener noreferrer"');
  expect(text).toMatch(/version 1\.4[\s\S]*<dt>Homepage<\/dt><dd><a href="https:\/\/example\.com\/"[^>]*>example\.com/);
  expect(text).toMatch(/og:image" content="[^"]+\/catalogue\/t0\/icon\?at=\d+"/);
  const icon = await fetch(`${service.url}/catalogue/t0/icon`);
  expect([icon.status, icon.headers.get('content-type'), icon.headers.get('content-security-policy')]).toEqual([
    200,
    'image/png',
    "default-src 'none'; sandbox",
  ]);
  expect(Buffer.from(await icon.arrayBuffer()).toString('base64')).toBe(PNG);
});

test('caches may keep pages of strangers for a minute, and a page that is the same is not sent again', async () => {
  const service = await startConsole(PUBLIC);
  await service.toolkit('weather', define);
  const { answer } = await pageOf(service, '/catalogue/weather/use');
  expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
    'public, max-age=60',
    expect.stringContaining('Cookie'),
  ]);
  const again = await fetch(`${service.url}/catalogue/weather/use`, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('a stranger who reads too many pages waits', async () => {
  const service = await startConsole(PUBLIC);
  const read = async () => {
    const answer = await fetch(`${service.url}/catalogue/nothing`);
    return { status: answer.status, wait: answer.headers.get('retry-after'), text: await answer.text() };
  };
  let answers = [await read()];
  while (answers.every(({ status }) => status === 404)) answers = await Promise.all(Array.from({ length: 20 }, read));
  const refused = answers.find(({ status }) => status !== 404);
  expect(refused).toEqual({ status: 429, wait: '1', text: expect.stringContaining('<title>Too many requests</title>') });
  // People are not strangers.
  expect((await service.owner.ask('GET', '/catalogue')).status).toBe(200);
});

test('Use it shows the address of the service in each stack, and a key for this toolkit alone', async () => {
  const service = await startConsole(PUBLIC);
  await service.toolkit('weather', define);
  const { text } = await pageOf(service, '/catalogue/weather/use');
  expect(text).toContain(`claude mcp add --transport http svc-weather &quot;${service.url}/mcp?staticToolkits=weather&quot;`);
  expect(text).toMatch(/href="cursor:\/\/anysphere[^"]+"/);
  expect(text).toMatch(/href="vscode:mcp\/install[^"]+"/);
  for (const stack of ['curl', 'TypeScript', 'Python', 'Rust']) expect(text).toContain(`<h3>${stack}</h3>`);
  expect(text).toContain('href="/sign-in?from=%2Fkeys%3Ftoolkit%3Dweather"');
  expect(await read(service.owner, '/catalogue/weather/use')).toContain('href="/keys?toolkit=weather"');
});

test('the name of a publisher is shown while that person wants it, and never an address', async () => {
  const service = await startConsole(PUBLIC);
  const mia = await service.join('mia');
  const { key } = await mia.json<CreatedKey>('POST', '/v1/keys', { kind: 'toolkit', name: 'mail' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'get', actionDescription: 'Gets a letter by its number' }]);
  const page = async () => (await pageOf(service, '/catalogue/mail')).text;
  expect(await page()).not.toContain('mia');
  await mia.json('PUT', '/v1/me/publisher', { shown: true });
  expect(await mia.json<Me>('GET', '/v1/me')).toMatchObject({ publisher: true });
  await expect.poll(page, SLOWLY).toContain('<dt>Publisher</dt><dd>mia</dd>');
  expect(await page()).not.toContain('@example.com');
  await mia.json('PUT', '/v1/me/publisher', { shown: false });
  await expect.poll(page, SLOWLY).not.toContain('Publisher');
});

test('a catalogue that cannot be is refused at the start', async () => {
  await expect(startConsole({ catalogue: 'all' as 'public' })).rejects.toThrow(/catalogue: write "public", or "members"/);
  await expect(startConsole({ catalogue: 'public', console: false })).rejects.toThrow(/catalogue: the pages are a part of the console/);
});

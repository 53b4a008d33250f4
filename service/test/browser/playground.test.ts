// @module-tag chromium
/** A conversation in the playground with a model on loopback: what the page shows is what the service recorded, and no report counts it. */
import { type Toolkit, Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type SearchReportsPage, type SessionPage } from '#sdk/protocol/admin';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';
import type { Conversation } from '../../scripted-model/conversation';
import type { Speech } from '../../scripted-model/speech';
import { startFakeModel } from '../support/fake-model';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const PROGRAM = "return (await tools.gallery.draw({ what: 'cat' })).ok;";

function gallery(toolkit: Toolkit): void {
  const payment = { amount: '0.25' };
  toolkit.action({ action: 'draw', actionDescription: 'Draws a picture', payloadDescription: { what: 'string' }, payment }, (ctx) => {
    ctx.image(PNG, 'image/png');
    return 'drawn';
  });
  const annotations = { destructive: true };
  toolkit.action({ action: 'erase', actionDescription: 'Erases all pictures', payloadDescription: {}, annotations }, () => 'erased');
}

const SCRIPTS: Record<string, Speech[]> = {
  'draw a cat': [
    { calls: [{ name: 'search_services', arguments: { query: 'draw a picture' } }] },
    { calls: [{ name: 'invoke_service', arguments: { action: 'gallery__draw', payload: { what: 'cat' } } }] },
    { content: '**Here** it is' },
  ],
  'tidy up': [
    { calls: [{ name: 'invoke_service', arguments: { action: 'gallery__erase', payload: {} } }] },
    { calls: [{ name: 'run_code', arguments: { code: PROGRAM } }] },
    { content: 'All done' },
  ],
  'be odd': [
    { calls: [{ name: 'invoke_service', arguments: '{"action": ' }] },
    { calls: [{ name: 'no_such_tool', arguments: {} }] },
    { content: 'Odd enough' },
  ],
};

function speak({ question, turns }: Conversation): Speech {
  if (question === 'loop') return { calls: [{ name: 'search_services', arguments: { query: `again ${turns.length}` } }] };
  return SCRIPTS[question]?.[turns.length] ?? { content: `nothing for ${question}` };
}

test('a conversation searches, calls, shows an image, asks, runs a program, and is in the records and in no report', async () => {
  const model = await startFakeModel(speak);
  const service = await openConsole({ code: true, currency: 'EUR' });
  await service.toolkit('gallery', gallery);
  const { id: keyId, key } = await service.keys.create({
    ...{ kind: 'agent', name: 'painter', code: true, callsPerMinute: 1 },
    budget: { perCall: '1', perDay: '5' },
  });
  const owner = await service.owner();
  const { page } = owner;
  await page.goto('/');
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.waitForURL('**/playground');

  await page.getByText('Your own', { exact: true }).click();
  await page.getByLabel('Address').fill(model.url);
  await page.getByLabel('API key', { exact: true }).fill('sk-mine');
  await page.getByLabel('Model name').fill('fake-1');
  await page.getByLabel('Budget (EUR)').fill('2');
  await page.getByLabel('Offer run_code').check();
  await expectAccessibleEverywhere(page);
  const say = async (text: string, answer: string) => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    if (answer !== '') await page.getByText(answer, { exact: true }).waitFor();
  };
  await say('draw a cat', 'Here');
  expect(await page.locator('strong', { hasText: 'Here' }).count()).toBe(1);
  await page.getByRole('img', { name: /image\/png/ }).waitFor();

  await say('tidy up', '');
  const decision = page.getByRole('group', { name: 'A decision for you' });
  await decision.getByText('gallery__erase').waitFor();
  await decision.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('All done', { exact: true }).waitFor();
  expect(model.requests.every(({ authorization, cookie }) => authorization === 'Bearer sk-mine' && cookie === undefined)).toBe(true);
  expect(model.requests.at(2)?.body).toContain('data:image/png;base64,');

  const totals = await page.getByTestId('totals').innerText();
  const link = page.getByRole('link', { name: 'The session in the records' });
  const session = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  const { entries } = await callApi<SessionPage>(page, `${ADMIN_PATHS.sessions}/${session}`);
  const calls = entries.flatMap((entry) => (entry.kind === 'call' ? [entry] : []));
  expect(calls.map(({ call }) => [call.action, call.code, call.origin])).toEqual([
    ['gallery__draw', 'OK', 'console'],
    ['gallery__erase', 'APPROVAL_REQUIRED', 'console'],
    ['gallery__erase', 'OK', 'console'],
    ['gallery__draw', 'OK', 'console'],
  ]);
  const charged = calls.reduce((sum, { cost }) => sum + Number(cost?.charged ?? 0), 0);
  expect(charged).toBe(0.5);
  expect(totals).toMatch(/^1 search, 3 calls, [\d,]+ \+ \d+ tokens, .+, 0\.50? EUR$/);
  const [, input = '', output = ''] = /([\d,]+) \+ (\d+) tokens/.exec(totals) ?? [];
  const tokens = { input: Number(input.replaceAll(',', '')), output: Number(output) };
  // The report of the last answer has no call to go along with.
  await vi.waitFor(
    async () => {
      const { sums, models } = await callApi<SessionPage>(page, `${ADMIN_PATHS.sessions}/${session}`);
      expect(sums).toMatchObject([{ tokens }]);
      expect(models).toMatchObject([tokens]);
    },
    { timeout: 20_000 },
  );
  const steps = page.getByRole('list', { name: 'Steps of Trace of fake-1' });
  const hrefs = await steps
    .getByRole('link', { name: /^gallery__(draw|erase)$/ })
    .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
  expect(hrefs).toContain(`/calls/${calls[0]?.call.id}`);
  expect(hrefs).toContain(`/calls/${calls[2]?.call.id}`);

  // The records are written, so Demand would have it by now; and the key's one call of this minute is left.
  expect((await callApi<SearchReportsPage>(page, ADMIN_PATHS.searches)).searches).toEqual([]);
  await new Tools({ baseUrl: service.url, apiKey: key }).search('draw');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('sk-mine');
  expect(keyId).toMatch(/^key_/);
  await expectAccessibleEverywhere(page);
});

test('a model that fails says so in a line, and the conversation goes on; odd calls are answered, and a loop is stopped', async () => {
  const model = await startFakeModel(speak);
  const service = await openConsole();
  await service.toolkit('gallery', gallery);
  await service.keys.create({ kind: 'agent', name: 'painter' });
  const owner = await service.owner();
  const { page } = owner;
  owner.mayComplain(/Failed to load resource/);
  await page.goto('/playground');
  await page.getByText('Your own', { exact: true }).click();
  await page.getByLabel('Address').fill(model.url);
  await page.getByLabel('Model name').fill('fake-1');

  model.failOnce((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome to nginx'));
  await page.getByLabel('Message').fill('be odd');
  await page.getByRole('button', { name: 'Send' }).click();
  const alert = page.getByRole('alert');
  const failsWith = async (words: RegExp, answer: Parameters<typeof model.failOnce>[0]) => {
    model.failOnce(answer);
    await page.getByRole('button', { name: 'Try again' }).click();
    await alert.getByText(words).waitFor();
  };
  await alert.getByText(/answered with a web page/).waitFor();
  await failsWith(/sent something in its stream that is not JSON: "gibberish"/, (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: gibberish\n\n'),
  );
  await failsWith(/stopped in the middle of its answer/, (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"choices":[{"delta":{"content":"I was"}}]}\n\n'),
  );
  model.failOnce(() => {});
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await alert.getByText('Stopped.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Odd enough', { exact: true }).waitFor();
  await page.getByRole('button', { name: /no_such_tool/ }).waitFor();

  await page.getByLabel('Message').fill('loop');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  expect(await page.getByText('be odd', { exact: true }).count()).toBe(1);
});

test('without a model a script plays, and the page leads to it and from it with a new document', async () => {
  const service = await openConsole();
  await service.toolkit('gallery', gallery);
  await service.keys.create({ kind: 'agent', name: 'painter' });
  const { page } = await service.owner();
  await page.goto('/playground');
  await page.getByLabel('Message').fill('draw a picture');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('These actions fit:').waitFor();
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await loaded;
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
});

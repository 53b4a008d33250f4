/** Runs of code as people see them. */
import { expect, test } from 'vitest';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import type { KeptRunDetails } from '#sdk/protocol/kept-run-schemas';
import { startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';
import { Coder, Shop } from '../support/code-runs';

const PROGRAM = `console.log('begins');
const prices = await Promise.all(['tea', 'bread'].map((item) => tools.shop.price({ item })));
return prices.map(({ data }) => data.cents);`;

test('a person sees the runs of their own keys, with program, answer and calls; an owner sees all', async () => {
  const service = await startConsole({ code: true });
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const shop = new Shop();
  const toolkit = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'Shop', toolkit: 'shop' });
  await runToolkit(service.url, toolkit.key, shop.define);
  const key = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'Anna agent' });
  await service.owner.json('PATCH', `${PATHS.keys}/${key.id}`, { code: true });
  const coder = new Coder(service, key.key);
  const { body } = await coder.run(PROGRAM, { 'svc-user-id': 'u_1', 'svc-session-id': 'chat-7' });
  const second = await coder.run('return 1;');

  type Page = { runs: { id: string }[]; nextCursor?: string };
  const all = await anna.json<Page>('GET', '/v1/code-runs');
  expect(all.runs.map(({ id }) => id)).toEqual([second.body.run, body.run]);
  const paged = await service.owner.json<Page>('GET', '/v1/code-runs?limit=1');
  expect(paged).toMatchObject({ runs: [{ id: second.body.run }], nextCursor: second.body.run });
  expect((await service.owner.json<Page>('GET', `/v1/code-runs?limit=1&cursor=${paged.nextCursor}`)).runs).toMatchObject([
    { id: body.run },
  ]);
  expect((await anna.json<Page>('GET', '/v1/code-runs?session=chat-7')).runs).toMatchObject([{ id: body.run }]);
  expect(await ben.json('GET', '/v1/code-runs')).toEqual({ runs: [] });
  expect((await ben.ask('GET', `/v1/code-runs/${body.run}`)).status).toBe(404);

  const run = await anna.json<KeptRunDetails>('GET', `/v1/code-runs/${body.run}`);
  expect(run).toMatchObject({
    ...{ id: body.run, status: 'done', key: { id: key.id, name: 'Anna agent' }, user: 'u_1', session: 'chat-7', calls: 2, attempt: 0 },
    ...{ code: PROGRAM, answer: { status: 'done', result: [300, 500], log: 'begins' } },
  });
  expect(run.invocations.map(({ action, madeBy, code }) => ({ action, madeBy, code }))).toEqual([
    { action: 'shop__price', madeBy: body.run, code: 'OK' },
    { action: 'shop__price', madeBy: body.run, code: 'OK' },
  ]);
});

/** The truth about a listing, for a member who has nothing but the key of a toolkit. */
import type { Toolkit } from 'svc-sdk';
import { expect, test } from 'vitest';
import type {
  ActionReport,
  ListingExplanation,
  ReviewsPage,
  SearchReportsPage,
  ToolkitCallers,
  ToolkitReportDetail,
} from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';

const weather = (toolkit: Toolkit) => {
  toolkit.action({ action: 'today', actionDescription: 'Weather of today in a city: temperature and rain' }, () => 1);
};
const forecasts = (toolkit: Toolkit) => {
  toolkit.action({ action: 'days', actionDescription: 'Rain forecast for a village, by day' }, () => 1);
};

async function stage(options: Parameters<typeof startConsole>[0] = {}) {
  const service = await startConsole(options);
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'weather' });
  await runToolkit(service.url, key, weather);
  await service.toolkit('forecasts', forecasts);
  return { service, anna, ben };
}

const explain = (asker: Asker, body: object, id = 'weather__today') =>
  asker.json<ListingExplanation>('POST', `${ADMIN_PATHS.reports}/actions/${id}/explain`, body);

test('a held action says so on its report and on that of its toolkit, to a member too, until an owner approves it', async () => {
  const { service, anna } = await stage({ newActions: 'review' });
  const action = () => anna.json<ActionReport>('GET', `${ADMIN_PATHS.reports}/actions/weather__today`);
  expect(await action()).toMatchObject({ online: true, held: 'new' });
  const toolkit = await anna.json<ToolkitReportDetail>('GET', `${ADMIN_PATHS.reports}/toolkits/weather`);
  expect(toolkit.actionReports).toMatchObject([{ held: 'new' }]);
  const { reviews } = await service.owner.json<{ reviews: { action: string; hash: string }[] }>('GET', ADMIN_PATHS.reviews);
  const approvals = reviews.map(({ action, hash }) => ({ action, hash }));
  await service.owner.json('POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals });
  expect(await action()).not.toHaveProperty('held');
});

test('a developer reads the rank of an action for a query, and what the action before it has', async () => {
  const { service, anna } = await stage();
  const query = 'rain forecast for a village';
  const { actions } = await (await service.tools()).search(query);
  expect(actions.map(({ action }) => action)).toEqual(['forecasts__days', 'weather__today']);
  const { rank, found, missing, rival, outrankedBy } = await explain(anna, { query });
  expect({ rank, found }).toEqual({ rank: 2, found: true });
  expect(missing).toEqual(['forecast', 'village']);
  expect(outrankedBy).toEqual([{ action: 'forecasts__days', score: rival?.score }]);
  expect(rival).toMatchObject({ action: 'forecasts__days', description: 'Rain forecast for a village, by day', missing: [] });
  expect(rival?.terms.map(({ term }) => term)).toEqual(expect.arrayContaining(['rain', 'forecast', 'village']));
  expect((await explain(anna, { query: 'weather of today' })).rival).toBeUndefined();
});

test('the developer of another toolkit gets no explanation, and a person one with the key of an own agent', async () => {
  const { anna, ben } = await stage();
  const query = 'rain';
  await expect(explain(ben, { query })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(explain(anna, { query }, 'forecasts__days')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const agent = await ben.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent', allow: { toolkits: ['weather'] } });
  expect(await explain(ben, { query, key: agent.id })).toMatchObject({ rank: 1, found: true, outrankedBy: [] });
  expect(await explain(ben, { query, key: agent.id }, 'forecasts__days')).toMatchObject({ allowed: false, found: false });
  await expect(explain(anna, { query, key: agent.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a test query counts in no demand, and uses up no rate of the key', async () => {
  const { service, ben } = await stage();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  const agent = await ben.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent', callsPerMinute: 1 });
  for (const query of ['rain in a city', 'snow on a hill', 'rain in a city']) await explain(ben, { query, key: agent.id });
  // The key's only call of this minute is free, and the only search that is recorded.
  const search = await service.as(agent.key).ask('POST', PATHS.search, { query: 'weather today' });
  expect(search.status).toBe(200);
  const searches = async () => {
    const page = await service.owner.json<SearchReportsPage>('GET', ADMIN_PATHS.searches);
    return page.searches.map((one) => [one.query, one.searches]);
  };
  await expect.poll(searches, { timeout: 20_000 }).toEqual([['weather today', 1]]);
});

test('a rejected version stays held and gives its developer the reason; it leaves the list of those that wait, and changed texts return there', async () => {
  const service = await startConsole({ newActions: 'review', changedActions: 'review' });
  const anna = await service.join('anna');
  const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'weather' });
  const first = await runToolkit(service.url, key, weather);
  const action = () => anna.json<ActionReport>('GET', `${ADMIN_PATHS.reports}/actions/weather__today`);
  const listed = async (query = '') => {
    const { reviews } = await service.owner.json<ReviewsPage>('GET', `${ADMIN_PATHS.reviews}${query}`);
    return reviews.map(({ action, held, hash }) => ({ action, held, hash }));
  };
  const [waiting] = await listed();
  const reject = (hash = '', reason = 'Name the source of the data') =>
    service.owner.json('POST', `${ADMIN_PATHS.reviews}/rejections`, { rejections: [{ action: 'weather__today', hash }], reason });
  await expect(reject('a'.repeat(64))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(reject(waiting?.hash, ' ')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await reject(waiting?.hash)).toEqual({ rejected: ['weather__today'] });

  expect(await action()).toMatchObject({ held: 'rejected', rejection: { reason: 'Name the source of the data', at: expect.any(String) } });
  expect(await listed()).toEqual([]);
  expect(await listed('?state=rejected')).toEqual([{ ...waiting, held: 'rejected' }]);
  const tools = await service.tools();
  await expect(tools.invoke('weather__today', {})).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED', message: /rejected/ });
  expect((await tools.search('weather')).actions).toEqual([]);

  await first.stop();
  const second = await runToolkit(service.url, key, (toolkit) => {
    toolkit.action({ action: 'today', actionDescription: 'Weather of today in a city, of the weather service' }, () => 2);
  });
  await second.ready;
  expect(await listed()).toMatchObject([{ held: 'new' }]);
  expect(await action()).not.toHaveProperty('rejection');
  await second.stop();
  const third = await runToolkit(service.url, key, weather);
  await third.ready;
  expect(await action()).toMatchObject({ held: 'rejected' });
  await service.owner.json('POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: [{ action: 'weather__today', hash: waiting?.hash }] });
  expect((await tools.invoke('weather__today', {})).result).toBe(1);
  expect(await action()).not.toHaveProperty('held');
  await expect(reject(waiting?.hash)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('the callers of a toolkit have their own numbers of calls and errors, and no id of another person', async () => {
  const service = await startConsole();
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'weather' });
  await runToolkit(service.url, key, (toolkit) => {
    toolkit.action({ action: 'today', actionDescription: 'Weather of today in a city' }, ({ result }, { fail }: { fail?: boolean }) => {
      if (fail) throw new Error('no weather');
      return result(1);
    });
  });
  const agentOf = (person: Asker, name: string) => person.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name });
  const [own, others, third] = [await agentOf(anna, 'my agent'), await agentOf(ben, 'secret plan'), await agentOf(ben, 'other plan')];
  const call = (agent: CreatedKey, payload: object) =>
    service.as(agent.key).ask('POST', PATHS.invoke, { action: 'weather__today', payload });
  for (const payload of [{}, {}, { fail: true }]) await call(others, payload);
  await call(own, {});
  await call(own, { fail: true });
  const callers = (asker: Asker) => asker.json<ToolkitCallers>('GET', `${ADMIN_PATHS.reports}/toolkits/weather/callers`);
  const counts = (calls: number, errors: number) => ({ day: { calls, errors }, week: { calls, errors }, lastAt: expect.any(String) });
  await expect
    .poll(async () => (await callers(anna)).callers)
    .toEqual([
      { name: 'agent 1', ...counts(3, 1) },
      { name: 'my agent', key: own.id, ...counts(2, 1) },
    ]);
  for (let i = 0; i < 4; i++) await call(third, {});
  await expect.poll(async () => (await callers(anna)).callers.map(({ name }) => name)).toEqual(['agent 3', 'agent 1', 'my agent']);
  expect(JSON.stringify(await callers(anna))).not.toContain(others.id);
  expect((await callers(service.owner)).callers).toMatchObject([
    { name: 'other plan', key: third.id },
    { name: 'secret plan' },
    { name: 'my agent' },
  ]);
  await expect(callers(ben)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

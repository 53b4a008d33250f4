// @module-tag postgres
// @module-tag nats
/** The admin API of a service of two nodes: each node reports both. */
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type OwnedKeysPage, type StatsNow, type ToolkitReportDetail } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { offeredAt, startNodes } from '../../../test/support/nodes';

test('processes at another node are listed, and a changed key takes effect there too', async () => {
  const nodes = await startNodes(2, { console: true });
  const [first, second] = nodes;
  if (!first || !second) throw new Error('there are two');
  await first.toolkit('maths', (maths) => {
    maths.action({ action: 'add', actionDescription: 'Adds two numbers' }, () => ({ sum: 3 }));
  });
  await offeredAt(nodes, 'maths__add');
  const admin = await first.keys.create({ kind: 'admin', name: 'admin' });
  const ask = async <T>(url: string, path: string, init: RequestInit = {}, key = admin.key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await (await fetch(url + path, { ...init, headers })).json()) as T;
  };

  const report = await ask<ToolkitReportDetail>(second.url, `${ADMIN_PATHS.reports}/toolkits/maths`);
  expect(report).toMatchObject({ online: true, replicas: 1, processes: [{ node: expect.stringMatching(/^node_/), running: 0 }] });
  expect(report).not.toHaveProperty('silentNodes');
  expect(await ask<StatsNow>(second.url, `${ADMIN_PATHS.stats}/now`)).toMatchObject({ nodes: 2, replicas: 1, toolkitsOnline: 1 });
  const { keys } = await ask<OwnedKeysPage>(second.url, PATHS.keys);
  expect(keys.find(({ kind }) => kind === 'toolkit')).toHaveProperty('lastUsedAt');

  const agent = await first.keys.create({ kind: 'agent', name: 'agent' });
  const invoke = { method: 'POST', body: JSON.stringify({ action: 'maths__add', payload: {} }) };
  expect(await ask(second.url, PATHS.invoke, invoke, agent.key)).toMatchObject({ result: { sum: 3 } });
  await ask(first.url, `${PATHS.keys}/${agent.id}`, { method: 'PATCH', body: JSON.stringify({ allow: { toolkits: ['other'] } }) });
  const refused = async () => expect(await ask(second.url, PATHS.invoke, invoke, agent.key)).toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  await vi.waitFor(refused);
});

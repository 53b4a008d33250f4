// @module-tag postgres
// @module-tag nats
/** The page of an MCP App, read at another node than that of its toolkit. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import type { TestService } from '../../../test/support/service';

const SHOW = { action: 'show', actionDescription: 'Shows the board', meta: { ui: { resourceUri: 'ui://board' } } };
const READ = { action: 'page', actionDescription: 'Reads the page', meta: { 'svc-sdk/resources': true } };

test('a page is read, and _meta of a result arrives, through another node', async () => {
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  const toolkit = await RawToolkit.connect(far);
  await toolkit.register([SHOW, READ]);
  await offeredAt([near], 'raw__show');
  const { key } = await near.keys.create({ kind: 'agent', name: 'agent', allow: { toolkits: [], actions: ['raw__show'] } });
  const tools = new Tools({ baseUrl: near.url, apiKey: key });

  const [shown] = await tools.loadDefinitions({ dynamicTools: false, staticActions: ['raw__show'] });
  expect(shown?.meta).toEqual({ ui: { resourceUri: 'ui://raw/board' } });
  const reading = tools.invoke('svc__read_resource', { uri: 'ui://raw/board' });
  const { id, params } = await toolkit.invoked();
  expect(params).toMatchObject({ action: 'page', payload: { uri: 'ui://board' } });
  toolkit.send({ jsonrpc: '2.0', id, result: { contents: [] }, meta: { read: 1 } });
  expect(await reading).toMatchObject({ result: { contents: [] }, meta: { read: 1 } });
  await expect(tools.invoke('svc__read_resource', { uri: 'ui://raw/other' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

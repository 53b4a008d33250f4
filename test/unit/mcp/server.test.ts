/** `svc-sdk/mcp` against a real service, with the official client. */
import { svcMcpServer } from 'svc-sdk/mcp';
import { expect, test } from 'vitest';
import { startService } from '../../support/service';
import { connect } from './connect';

test('a model searches and invokes', async () => {
  const service = await startService();
  await service.toolkit('weather', (toolkit) =>
    toolkit.action({ action: 'today', actionDescription: 'Weather of a city today' }, (_ctx, payload) => ({ sunny: true, ...payload })),
  );
  const client = await connect(svcMcpServer(await service.tools()));
  const found = await client.callTool({ name: 'search_services', arguments: { query: 'weather today' } });
  expect(found.structuredContent).toMatchObject({ actions: [{ action: 'weather__today' }] });
  const answer = await client.callTool({ name: 'invoke_service', arguments: { action: 'weather__today', payload: '{"city": "Rome"}' } });
  expect(answer).toMatchObject({ structuredContent: { result: { sunny: true, city: 'Rome' } } });
});

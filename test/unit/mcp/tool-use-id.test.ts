import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { svcMcpServer } from 'svc-sdk/mcp';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../support/service';

test('a call that Claude Code sends again under its id runs once', async () => {
  const service = await startService();
  let runs = 0;
  await service.toolkit('counter', (toolkit) =>
    toolkit.action({ action: 'count', actionDescription: 'Counts' }, () => ({ count: ++runs })),
  );
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await svcMcpServer({ tools: await service.tools() })({ era: 'legacy' });
  await server.connect(ours);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(theirs);
  onTestFinished(() => client.close());
  const count = async (toolUseId: string) => {
    const call = { name: 'invoke_service', arguments: { action: 'counter__count', payload: {} } };
    const { structuredContent } = await client.callTool({ ...call, _meta: { 'claudecode/toolUseId': toolUseId } });
    return structuredContent;
  };
  expect(await count('toolu_01WvBg04zwJaH2HFdQHJ3OZz')).toEqual({ count: 1 });
  expect(await count('toolu_01WvBg04zwJaH2HFdQHJ3OZz')).toEqual({ count: 1 });
  expect(await count('toolu_01XwBg04zwJaH2HFdQHJ3OZz')).toEqual({ count: 2 });
});

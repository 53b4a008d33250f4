import { join } from 'node:path';
import { Agent, type AgentOptions, type AskModel } from 'svc-sdk/agent';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { makeFolder } from '../support/folder';
import { startService, type TestService } from '../support/service';

test('a message becomes calls and a reply', async () => {
  const service = await startService();
  await service.toolkit('maths', (toolkit) =>
    toolkit.action(
      { action: 'double', actionDescription: 'Doubles', payloadDescription: { n: { type: 'number', required: true } } },
      (_ctx, { n }) => ({
        doubled: Number(n) * 2,
      }),
    ),
  );
  const asked: unknown[] = [];
  const client = new PipeClient();
  await startAgent(service, client, {
    model: async ({ messages }) => {
      asked.push(structuredClone(messages));
      if (messages.at(-1)?.role === 'tool') return { role: 'assistant', content: `It is ${messages.at(-1)?.content}` };
      return {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_0',
            type: 'function',
            function: { name: 'invoke_service', arguments: '{"action":"maths__double","payload":{"n":4}}' },
          },
        ],
      };
    },
  });
  client.say('Double 4');
  await vi.waitFor(() => expect(client.texts()).toEqual(['It is {"doubled":8}']));
  expect(asked).toHaveLength(2);
});

async function startAgent(service: TestService, client: PipeClient, options: AgentOptions & { model: AskModel }): Promise<Agent> {
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const folder = makeFolder();
  const agent = new Agent({ apiKey: key, baseUrl: service.url, clients: [client], store: join(folder.path, 'agent.db'), ...options });
  const running = agent.run();
  running.catch(() => {});
  onTestFinished(async () => {
    await agent.stop();
    folder.remove();
    await running;
  });
  return agent;
}

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { svcMcpServer } from 'svc-sdk/mcp';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, RESULT, RESULT_TEXT } from '../model-call.ts';

/** The official client in the same process. It numbers its calls, so `Tools` does not derive an idempotency key from an id. */
export const mcp: AdapterCase = {
  name: 'mcp',
  framework: '@modelcontextprotocol/server',
  async prepare(tools) {
    const ours = await connect(await svcMcpServer({ tools })({ era: 'legacy' }));
    const empty = await connect(emptyServer());
    const call = { name: NAME, arguments: INPUT };
    return { withAdapter: () => ours.callTool(call), empty: () => empty.callTool(call) };
  },
};

function emptyServer(): Server {
  const server = new Server({ name: 'empty', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools: [{ name: NAME, inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text', text: RESULT_TEXT }], structuredContent: RESULT }));
  return server;
}

async function connect(server: Pick<Server, 'connect'>): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(clientSide);
  return client;
}

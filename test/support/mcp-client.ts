/** An official client and the MCP server, connected without a process between them. */
import { Client, type ClientOptions, InMemoryTransport } from '@modelcontextprotocol/client';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';

/** Default revision: 2025-11-25. */
export async function connect(factory: McpServerFactory, options: ClientOptions = {}): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const served = serveStdio(factory, { transport: serverSide });
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(async () => {
    await client.close();
    await served.close();
  });
  await client.connect(clientSide);
  return client;
}

/**
 * Does the same as Claude Desktop, Cursor and other MCP clients with `svc-tools-mcp`: start it, list its tools, call them. Here without a model.
 *
 *   SVC_AGENT_API_KEY=… node examples/mcp/client.ts "current time in a city" '{"zone": "Asia/Tokyo"}'
 */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [query = 'current time in a city', payload = '{"zone": "Asia/Tokyo"}'] = process.argv.slice(2);
const { SVC_AGENT_API_KEY = '', SVC_BASE_URL = '' } = process.env;

// Outside of this repository: command 'npx', args ['-y', '-p', 'svc-sdk', 'svc-tools-mcp'].
const program = fileURLToPath(new URL('./dist/svc-tools-mcp.js', import.meta.resolve('svc-sdk/package.json')));
const server = new StdioClientTransport({ command: process.execPath, args: [program], env: { SVC_AGENT_API_KEY, SVC_BASE_URL } });
const client = new Client({ name: 'svc-example', version: '1.0.0' });
await client.connect(server);
try {
  const { tools } = await client.listTools();
  console.log(tools.map(({ name }) => name).join(', '));

  const { actions } = JSON.parse(await call('search_services', { query, limit: 1 }));
  if (actions.length === 0) throw new Error(`Nothing was found for "${query}"`);
  const { action } = actions[0];
  console.log(`${action}: ${await call('invoke_service', { action, payload: JSON.parse(payload) })}`);
} finally {
  await client.close();
}

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (isError) throw new Error(text);
  return text;
}

/** Guards the processor time that the bridge to an MCP server adds to a call, beside a native handler and the server alone. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { mcpToolkit } from '../../service/import/mcp/mcp-toolkit';
import { ProcessTransport } from '../../service/import/mcp/process-transport';
import { Redactor } from '../../service/import/redactor';
import { startService } from '../support/service';

const FAULTY = fileURLToPath(new URL('../support/faulty-mcp-server.mjs', import.meta.url));
/** The bound in native calls of the same run, because a bound in milliseconds differs on each machine. It grows as native calls get cheaper. */
const MAX_SHARE = 0.9;
const ROUNDS = 7;
const CALLS = 200;

test(`the bridge takes at most ${MAX_SHARE} of what a native call takes in all`, { timeout: 120_000 }, async () => {
  const service = await startService();
  const server = { command: process.execPath, args: [FAULTY] };
  await service.toolkit('native', (toolkit) =>
    toolkit.action({ action: 'echo', actionDescription: 'Repeats a text' }, (_ctx, { text }) => text),
  );
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'faulty' });
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: service.url, apiKey: key }, server });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new ProcessTransport(server, { log: () => {}, redactor: new Redactor([]) }));
  onTestFinished(() => client.close());
  const tools = await service.tools();
  const ways = {
    alone: () => client.callTool({ name: 'echo', arguments: { text: 'hello' } }),
    native: () => tools.invoke('native__echo', { text: 'hello' }),
    bridged: () => tools.invoke('faulty__echo', { text: 'hello' }),
  };

  const shares: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [alone, native, bridged] = [await cpuMs(ways.alone), await cpuMs(ways.native), await cpuMs(ways.bridged)];
    shares.push((bridged - native - alone) / native);
  }
  // The first round warms up, and the median counts, since other load on the machine makes some rounds worse.
  const [median] = shares
    .slice(1)
    .sort((a, b) => a - b)
    .slice(Math.floor(ROUNDS / 2));
  expect(median).toBeLessThanOrEqual(MAX_SHARE);
});

/** The processor time of this process for each call. */
async function cpuMs(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / CALLS;
}

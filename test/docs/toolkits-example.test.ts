/** `examples/toolkits.yaml`, with the servers that are installed here. `npm run imports:examples` and `imports:servers` try all entries. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mcpToolkit, readToolkitsFile, type ToolkitEntry, withVariables } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../support/service';

const root = fileURLToPath(new URL('../../', import.meta.url));
const entries = readToolkitsFile(readFileSync(`${root}examples/toolkits.yaml`, 'utf8'));

test('every package of a server has a version', () => {
  const servers = Object.values(entries).flatMap((entry) => ('mcp' in entry && 'command' in entry.mcp ? [entry.mcp] : []));
  expect(servers.length).toBeGreaterThanOrEqual(8);
  for (const { args = [] } of servers) expect(args).toContainEqual(expect.stringMatching(/.@\d+\.\d+\.\d+$/));
});

test.each([
  ['filesystem', 'list_directory', { path: 'examples' }, 'toolkits.yaml'],
  ['everything', 'echo', { message: 'hello' }, 'Echo: hello'],
])('%s starts unchanged, and answers', async (id, action, payload, text) => {
  const { mcp, describe: _, ...presented } = withVariables(entries[id] as ToolkitEntry, {}) as Extract<ToolkitEntry, { mcp: unknown }>;
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: id });
  const toolkit = await mcpToolkit({
    ...presented,
    server: { ...mcp, cwd: root },
    toolkitId: id,
    toolkit: { baseUrl: service.url, apiKey: key },
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const { result } = await (await service.tools()).invoke(`${id}__${action}`, payload, { timeoutMs: 20_000 });
  expect(JSON.stringify(result)).toContain(text);
});

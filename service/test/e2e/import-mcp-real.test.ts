/** Published MCP servers as toolkits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { runningWith } from '../../../test/support/marked-processes';
import { startService } from '../../../test/support/service';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';

const everything = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));

async function serve(name: string, command: string, ...args: string[]): Promise<{ tools: Tools; stop(): Promise<void> }> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name });
  const toolkit = await mcpToolkit({ toolkit: { baseUrl: service.url, apiKey: key }, toolkitId: name, server: { command, args } });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  const { accepted } = await toolkit.ready;
  expect(accepted.length).toBeGreaterThan(5);
  return { tools: await service.tools(), stop: () => toolkit.stop() };
}

test('server-everything: text, structured content, an image, a resource and progress', async () => {
  const { tools } = await serve('everything', process.execPath, everything);

  expect((await tools.invoke('everything__echo', { message: 'hello' })).result).toBe('Echo: hello');
  expect((await tools.invoke('everything__get-structured-content', { location: 'Chicago' })).result).toHaveProperty('temperature');
  expect((await tools.invoke('everything__get-tiny-image')).content).toContainEqual(expect.objectContaining({ type: 'image' }));
  const { content } = await tools.invoke('everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 });
  expect(content).toContainEqual(expect.objectContaining({ type: 'resource' }));
  const steps: number[] = [];
  const onProgress = ({ progress }: { progress: number }) => void steps.push(progress);
  await tools.invoke('everything__trigger-long-running-operation', { duration: 0.3, steps: 3 }, { onProgress });
  expect(steps).toEqual([1, 2, 3]);
});

test('server-filesystem behind `npx`: a file is found by search and read, and no process is left', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  writeFileSync(join(path, 'plan.txt'), 'Sail on Tuesday');
  const { tools, stop } = await serve('files', 'npx', '--no-install', 'mcp-server-filesystem', path);

  expect((await tools.search('read a text file')).actions.map(({ action }) => action)).toContain('files__read_text_file');
  expect((await tools.invoke('files__read_text_file', { path: join(path, 'plan.txt') })).result).toEqual({ content: 'Sail on Tuesday' });
  await expect(tools.invoke('files__read_text_file', { path: '/etc/passwd' })).rejects.toMatchObject({
    details: { cause: { code: 'TOOL_ERROR', message: expect.stringContaining('denied') } },
  });
  expect(runningWith(path).length).toBeGreaterThan(0);
  await stop();
  await vi.waitFor(() => expect(runningWith(path)).toEqual([]));
});

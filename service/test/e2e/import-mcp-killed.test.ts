/** MCP servers whose parent was killed before it could end them. */
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { runningWith } from '../../../test/support/marked-processes';
import { startProcess } from '../../../test/support/processes';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DEAF = source('../../../test/support/deaf-mcp-server.sh');

test.each(['SIGKILL', 'SIGTERM', 'SIGUSR2'] as const)('a parent that ends by %s leaves no deaf server behind `sh -c`', async (signal) => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const args = ['--import', source('../../../scripts/source-imports.ts'), source('../../../test/support/start-mcp-process.mjs')];
  const parent = startProcess(process.execPath, [...args, 'sh', '-c', `sh ${DEAF} ${mark}; true`, mark]);
  await parent.printed(/started/);
  // The child of the server: the traps are set before it.
  await vi.waitFor(() => expect(runningWith(`child ${mark}`)).not.toEqual([]));

  parent.kill(signal);
  await parent.ended;
  await vi.waitFor(() => expect(runningWith(mark)).toEqual([]));
});

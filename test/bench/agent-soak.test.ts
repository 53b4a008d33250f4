/** A short run of the soak: an agent on three platforms at once, all of which fail all the time. */
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../support/processes';

const SOAK = fileURLToPath(new URL('../../bench/agent-soak.ts', import.meta.url));

test('an agent on three failing platforms loses nothing, and runs nothing twice', { timeout: 150_000 }, async () => {
  const run = startProcess(process.execPath, [SOAK, '--seconds', '5', '--chats', '12', '--seed', '1']);
  onTestFinished(async () => {
    run.kill('SIGTERM');
    await run.ended;
  });
  const { code, stdout, stderr } = await run.ended;
  expect(code, stdout + stderr).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ lost: [], ranTwice: [], invalid: [], outOfOrder: [], open: 0, errors: [] });
  expect(report.messages).toBeGreaterThan(20);
  expect(report.faults['session ended']).toBe(1);
  expect(report.memory.heapMb.every((mb: number) => mb > 0)).toBe(true);
});

// @module-tag python
/** The official Python client, whose user connects an account at `/mcp`. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { locateProgram } from '../../../scripts/programs.ts';
import { startConnectable } from '../../../test/support/connectable';
import { environment } from '../../../test/support/processes';

const SCRIPT = new URL('../../../python/tests/support/mcp_accounts.py', import.meta.url).pathname;

test('the client shows the page and the form of its code, and the call runs once', async () => {
  const { service, ran, connect } = await startConnectable();
  const { key } = await service.keys.create({ kind: 'agent', name: 'client' });
  const child = spawn(locateProgram('python'), [SCRIPT, `${service.url}/mcp`, key], { env: environment() });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The client ended: ${stderr}`);
    return String(value);
  };
  child.stdin.write(`${await connect(await line())}\n`);
  expect(JSON.parse(await line())).toEqual(['octocat']);
  expect(ran).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { ChildProcesses } from '../../../examples/demo/child-processes.ts';

const idle = "setInterval(() => {}, 1000); console.log('ready ' + process.pid)";
const program = (script: string) => ({ name: 'The program', args: ['-e', script], ready: /ready (\d+)/ });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a process is ready when it says so, and gone after stop', async () => {
  const children = new ChildProcesses();
  const [, pid] = await children.start(program(idle));
  expect(isAlive(Number(pid))).toBe(true);
  await children.stop();
  expect(isAlive(Number(pid))).toBe(false);
  await expect(children.start(program(idle))).rejects.toThrow('not started any more');
});

test('a process that ends before it is ready is an error with its exit code and output', async () => {
  const children = new ChildProcesses();
  const start = children.start(program("console.error('no such key'); process.exitCode = 3"));
  await expect(start).rejects.toThrow('The program ended by itself (exit code 3)\nno such key');
});

test('a process that dies later rejects the promise of its end', async () => {
  const children = new ChildProcesses();
  const [, pid] = await children.start(program(idle));
  process.kill(Number(pid), 'SIGKILL');
  await expect(children.death).rejects.toThrow('SIGKILL');
});

test('a process that does not want to stop is killed', { timeout: 10_000 }, async () => {
  const children = new ChildProcesses();
  const [, pid] = await children.start(program(`process.on('SIGTERM', () => {}); ${idle}`));
  await children.stop();
  expect(isAlive(Number(pid))).toBe(false);
});

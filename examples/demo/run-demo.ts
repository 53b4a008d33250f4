/**
 * Runs a demo with temporary data and processes of its own, and leaves nothing behind, however it ends.
 *
 * Errors: an error ends the program with exit code 1 and is printed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import colors from 'picocolors';
import { ChildProcesses } from './child-processes.ts';
import type { Stage } from './stage.ts';

/** @param demo gets the processes and a folder for data */
export async function runDemo(demo: (children: ChildProcesses, data: string) => Promise<void>): Promise<never> {
  const children = new ChildProcesses();
  const interruption = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => reject(new Error(`Stopped by ${signal}`)));
  });
  const data = await mkdtemp(join(tmpdir(), 'svc-sdk-demo-'));
  try {
    await Promise.race([demo(children, data), children.death, interruption]);
  } catch (error) {
    console.error(`\n${colors.red((error as Error).message)}`);
    process.exitCode = 1;
  } finally {
    await children.stop();
    await rm(data, { recursive: true, force: true });
  }
  // After an interruption a request may still be open; nothing is left that it could change.
  process.exit();
}

export function introduceStage({ url, toolkits }: Stage, model: string): void {
  console.log(`${colors.dim('service ')}  ${url}, with temporary data`);
  console.log(`${colors.dim('toolkits')}  ${toolkits.join(', ')}`);
  console.log(`${colors.dim('model   ')}  ${model}`);
}

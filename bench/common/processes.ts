/**
 * Child processes and temporary folders that never outlive this process: they go when it exits, is interrupted or throws.
 *
 * Errors: a child that exits before its ready line rejects `ready` with the end of what it printed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEPT_OUTPUT_CHARS = 4_000;
const STOP_PATIENCE_MS = 5_000;

const children = new Set<ChildProcess>();
const folders = new Set<string>();

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) removeFolder(folder);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

export interface RunningProcess {
  /** The match of the ready pattern in what the process printed. */
  ready: Promise<RegExpExecArray>;
  isAlive(): boolean;
  /** SIGTERM, and SIGKILL when that does not help within 5 s. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `node <args>`, with the Node that runs this. */
export function startNode(args: string[], { env, ready }: { env?: Record<string, string>; ready: RegExp }): RunningProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  children.add(child);
  const exited = new Promise<void>((resolve) => {
    const ended = () => {
      children.delete(child);
      resolve();
    };
    child.once('close', ended).once('error', ended);
  });
  const signal = async (name: NodeJS.Signals) => {
    child.kill(name);
    await exited;
  };
  return {
    ready: waitForLine(child, exited, ready, args),
    isAlive: () => children.has(child),
    kill: () => signal('SIGKILL'),
    stop: async () => {
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
      await signal('SIGTERM');
      clearTimeout(impatience);
    },
  };
}

function waitForLine(child: ChildProcess, exited: Promise<void>, pattern: RegExp, args: string[]): Promise<RegExpExecArray> {
  let output = '';
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_OUTPUT_CHARS);
      const match = pattern.exec(output);
      if (match) resolve(match);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    void exited.then(() => reject(new Error(`node ${args.join(' ')} ended before it was ready:\n${output}`)));
  });
  // Whoever kills a child on purpose before it is ready need not look at this promise.
  found.catch(() => undefined);
  return found;
}

/** Its own folder, removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/**
 * Child processes and temporary folders that never outlive this process: they go when it exits, is interrupted or throws.
 *
 * Errors: a child that exits before its ready line rejects `ready` with the end of what it printed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const KEPT_OUTPUT_CHARS = 4_000;
const STOP_PATIENCE_MS = 5_000;
const REMOVAL_TRIES = 20;
const REMOVAL_PAUSE_MS = 50;

/** Running children, with the signal that kills each. */
const children = new Map<ChildProcess, NodeJS.Signals>();
const folders = new Set<string>();

process.once('exit', () => {
  for (const [child, signal] of children) child.kill(signal);
  for (const folder of folders) removeFolder(folder);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

export interface RunningProcess {
  /** Undefined when it could not be started. */
  pid: number | undefined;
  /** The match of the ready pattern in what the process printed. */
  ready: Promise<RegExpExecArray>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  isAlive(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGTERM, and kills the process if it does not end in time. Default: 5 s. */
  stop(patienceMs?: number): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** User of a child process. Default: the current user. */
export interface User {
  uid: number;
  gid: number;
}

export interface StartOptions {
  env?: Record<string, string> | undefined;
  ready: RegExp;
  /** Gets all that it prints, after what is there. */
  logFile?: string | undefined;
  user?: User | undefined;
  /** Signal that kills the process. Default: SIGKILL. */
  killSignal?: NodeJS.Signals | undefined;
}

/** Starts `node <args>`, with the Node that runs this. */
export function startNode(args: string[], options: StartOptions): RunningProcess {
  return startProcess(process.execPath, args, options);
}

export function startProcess(program: string, args: string[], options: StartOptions): RunningProcess {
  const { env, ready, logFile, user, killSignal = 'SIGKILL' } = options;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env }, ...user });
  children.set(child, killSignal);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    const end = (how: number | NodeJS.Signals) => {
      children.delete(child);
      resolve(how);
    };
    child.once('close', (code, signal) => end(code ?? signal ?? 'SIGKILL')).once('error', () => end(-1));
  });
  if (logFile !== undefined) logTo(logFile, child);
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    pid: child.pid,
    ready: waitForLine(child, ended, ready, `${program} ${args.join(' ')}`),
    ended,
    isAlive: () => children.has(child),
    signal,
    kill: async () => {
      signal(killSignal);
      await ended;
    },
    stop: async (patienceMs = STOP_PATIENCE_MS) => {
      const impatience = setTimeout(signal, patienceMs, killSignal);
      signal('SIGTERM');
      await ended;
      clearTimeout(impatience);
    },
  };
}

function logTo(file: string, child: ChildProcess): void {
  const log = createWriteStream(file, { flags: 'a' });
  child.stdout?.on('data', (chunk) => log.write(chunk));
  child.stderr?.on('data', (chunk) => log.write(chunk));
  child.once('close', () => log.end());
}

function waitForLine(child: ChildProcess, ended: Promise<unknown>, pattern: RegExp, command: string): Promise<RegExpExecArray> {
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
    void ended.then(() => reject(new Error(`${command} ended before it was ready:\n${output}`)));
  });
  // A caller that kills the child before it is ready may ignore this promise.
  found.catch(() => undefined);
  return found;
}

/** Its own folder, removed when this process ends, unless it is kept. */
export function temporaryFolder(owner?: User): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  folders.add(folder);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** It stays when this process ends. */
export function keepFolder(folder: string): void {
  folders.delete(folder);
}

export function removeFolder(folder: string): void {
  folders.delete(folder);
  // An ending process may write into the folder during the removal, and `rmSync` reports no error for it.
  for (let tries = 1; existsSync(folder) && tries <= REMOVAL_TRIES; tries++) {
    if (tries > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVAL_PAUSE_MS);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Lets another process measure the one that loads this first: `node --expose-gc --import <this file> program.js`. Prints `gauge http://…` when it
 * can be asked, and never keeps the program alive.
 *
 * Shape:  GET / -> `Usage`; GET /?collect -> the same after a garbage collection; GET /loop -> `LoopDelay`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface Usage {
  /** Resident memory of the process with all its threads. */
  rssBytes: number;
  /** JavaScript objects and their buffers in the main thread. */
  heapBytes: number;
  /** User and system time of all threads since the start. */
  cpuMs: number;
}

/** The main thread's, in milliseconds, since the question before; null at the first one. */
export interface LoopDelay {
  p99Ms: number | null;
}

const NS_PER_MS = 1_000_000;

let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

// Worker threads load it again.
if (isMainThread) {
  const server = createServer(({ url }, response) => {
    if (url?.endsWith('?collect')) collect();
    response.end(JSON.stringify(url === '/loop' ? loopDelay() : usage()));
  });
  server.on('connection', (socket) => socket.unref());
  server.listen(0, '127.0.0.1', () => console.log(`gauge http://127.0.0.1:${(server.address() as AddressInfo).port}`)).unref();
}

/** Twice: the first frees what finalizers hold. */
function collect(): void {
  if (!globalThis.gc) throw new Error('Start node with --expose-gc');
  globalThis.gc();
  globalThis.gc();
}

function usage(): Usage {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rssBytes: rss, heapBytes: heapUsed + external, cpuMs: (user + system) / 1_000 };
}

/** Watched from the first question on: the watch wakes the thread a hundred times a second. */
function loopDelay(): LoopDelay {
  const p99Ms = delays ? delays.percentile(99) / NS_PER_MS : null;
  delays ??= monitorEventLoopDelay();
  delays.reset();
  delays.enable();
  return { p99Ms };
}

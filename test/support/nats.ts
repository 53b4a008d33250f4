/** A real nats-server on a free port, with its files in a temporary folder; removed when the test, or its process, ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { locateProgram } from '../../scripts/programs.ts';
import { makeFolder } from './folder';

export interface NatsServer {
  /** `nats://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Ends it, at once with SIGKILL. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Starts on the same port, after `stop`. */
  start(config?: string): Promise<void>;
  /** SIGSTOP freezes it, SIGCONT lets it go on. */
  signal(signal: NodeJS.Signals): void;
}

/** Ends the server when stdin does: also when its parent was killed. */
const SCRIPT = `
exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 2>&4 &
server=$!
echo $server
(cat <&3; kill -9 $server) >/dev/null 2>&1 &
wait $server`;

/** @param config lines for nats-server.conf */
export async function startNats(config = ''): Promise<NatsServer> {
  const { stop, ...server } = await openNats(config);
  onTestFinished(async () => {
    await stop('SIGKILL');
    server.removeFiles();
  });
  return { stop, ...server };
}

/** Serves a whole file of tests: the caller ends it. */
export async function openNats(config = ''): Promise<NatsServer & { removeFiles(): void }> {
  const folder = makeFolder();
  const port = await freePort();
  let settings = config;
  let shell: ChildProcess | undefined;
  let pid = 0;

  const start = async (changed = settings) => {
    settings = changed;
    const file = join(folder.path, 'nats-server.conf');
    writeFileSync(file, `listen: "127.0.0.1:${port}"\nlog_file: "${join(folder.path, 'nats-server.log')}"\n${settings}\n`);
    shell = spawn('sh', ['-c', SCRIPT, 'sh', locateProgram('nats'), '-c', file], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(shell.stdout!, 'data');
    pid = Number(line);
    while (!(await answers(port))) {
      if (shell.exitCode !== null) throw new Error(`nats-server ended with ${shell.exitCode}; its configuration:\n${settings}`);
      await delay(20);
    }
  };
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (!shell || shell.exitCode !== null) return;
    const ended = once(shell, 'exit');
    process.kill(pid, signal);
    await ended;
    shell.stdin?.end();
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    start,
    stop,
    signal: (signal) => void process.kill(pid, signal),
    removeFiles: folder.remove,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The server sends the first message. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', () => end(true)).once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

/** A real nats-server on a free port, with its files in a temporary folder; removed when the test, or its process, ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
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
  // The server chooses its port: one that is chosen for it may be taken before it starts.
  let port = -1;
  let settings = config;
  let shell: ChildProcess | undefined;
  let pid = 0;

  const start = async (changed = settings) => {
    settings = changed;
    const file = join(folder.path, 'nats-server.conf');
    const log = join(folder.path, 'nats-server.log');
    writeFileSync(file, `listen: "127.0.0.1:${port}"\nports_file_dir: "${folder.path}"\nlog_file: "${log}"\n${settings}\n`);
    shell = spawn('sh', ['-c', SCRIPT, 'sh', locateProgram('nats'), '-c', file], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(shell.stdout!, 'data');
    pid = Number(line);
    while (!(await isUp())) {
      if (shell.exitCode !== null)
        throw new Error(`nats-server ended with ${shell.exitCode}: ${existsSync(log) ? readFileSync(log, 'utf8') : settings}`);
      await delay(20);
    }
  };
  const isUp = async () => {
    if (port === -1) port = chosenPort(join(folder.path, `nats-server_${pid}.ports`)) ?? -1;
    return port !== -1 && (await answers(port));
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

/** Undefined until the server has written the file. Its URL is `tls:` for a server with certificates. */
function chosenPort(file: string): number | undefined {
  const port = existsSync(file) ? /:\/\/127\.0\.0\.1:(\d+)"/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return port === undefined ? undefined : Number(port);
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

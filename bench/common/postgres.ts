/**
 * A PostgreSQL of our own, on a free port with temporary data.
 *
 * Errors: rejects when it is not installed.
 */
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateProgram } from '../../scripts/programs.ts';
import { freePort } from './free-port.ts';
import { type RunningProcess, startProcess, temporaryFolder, type User } from './processes.ts';

export interface PostgresPlace {
  port: number;
  /** Starts it on its data; ended at once it has no time to write anything down, as in a crash. */
  start(logFile?: string): RunningProcess;
}

export async function makePostgres(): Promise<PostgresPlace> {
  const programs = locateProgram('postgres');
  const user = userOfPostgres();
  const data = temporaryFolder(user);
  // Not those of the shell, which may have none.
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
  await promisify(execFile)(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', ...locale], {
    ...user,
    cwd: data,
  });
  const port = await freePort();
  const args = ['-D', data, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const ready = /ready to accept connections/;
  return {
    port,
    start: (logFile) => startProcess(join(programs, 'postgres'), args, { ready, logFile, user, killSignal: 'SIGQUIT' }),
  };
}

export function postgresUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

/** PostgreSQL refuses to run as root. */
function userOfPostgres(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

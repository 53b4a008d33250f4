/** A real PostgreSQL on a free port with separate data. Server and data are removed when the process that started it ends, in any way. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { locateProgram } from '../../scripts/programs.ts';
import { openPostgresData } from '../../service/src/store/postgres/open';

const TAKEN = 'Address already in use';
const START_MS = 30_000;

/** Waits for a word, or for the end of its parent; then the server ends at once, as in a crash. */
const UNTIL_TOLD = `
server="$1"; data="$2"; shift 2
"$server" -D "$data" "$@" </dev/null &
read -r word
kill -QUIT $!
wait $!
[ "$word" = keep ] || rm -rf "$data"`;

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'logging_collector=off',
  'shared_buffers=32MB',
  // Data that a server has written to the system survive its end, and tests can only end it.
  'fsync=off',
];

export class PostgresServer {
  readonly #home: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  #running: ChildProcess | undefined;
  #databases = 0;
  #store: Promise<string> | undefined;

  private constructor(home: string, port: number, settings: readonly string[]) {
    this.#home = home;
    this.#port = port;
    this.#settings = settings;
  }

  /**
   * @param settings `name=value`
   * @param data the data of a `PostgresData`, copied; new ones take a second
   */
  static async start(settings: readonly string[] = [], data?: string): Promise<PostgresServer> {
    const home = data === undefined ? await initialData() : await copiedData(data);
    for (;;) {
      const server = new PostgresServer(home, await freePort(), settings);
      const failure = await server.startAgain().catch((error: Error) => error);
      if (!failure) return server;
      // Another process took the port since it was free.
      if (!failure.message.includes(TAKEN)) throw failure;
    }
  }

  /** @param user `locked` needs a password */
  url(database = 'postgres', user = 'svc'): string {
    return `postgres://${user}@127.0.0.1:${this.#port}/${database}`;
  }

  /** The URL of an empty one. */
  async emptyDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.execute(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** The URL of one with the tables of a store, which takes a third of the time that a store needs for an empty one. */
  async newDatabase(): Promise<string> {
    this.#store ??= this.#migrated();
    const template = await this.#store;
    const name = `test_${++this.#databases}`;
    await this.execute(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    return this.url(name);
  }

  async #migrated(): Promise<string> {
    const url = await this.emptyDatabase();
    await (await openPostgresData({ url, create: true })).close();
    return new URL(url).pathname.slice(1);
  }

  execute(sql: string, url = this.url()): Promise<Record<string, unknown>[]> {
    return execute(sql, url);
  }

  /** Ends it at once, as in a crash. */
  async crash(): Promise<void> {
    await this.#end('keep\n');
  }

  /** Starts the server again after a crash. */
  async startAgain(): Promise<void> {
    const settings = [...SETTINGS, ...this.#settings].flatMap((setting) => ['-c', setting]);
    const args = ['-c', UNTIL_TOLD, 'sh', binary('postgres'), this.#home, '-p', String(this.#port), ...settings];
    const child = spawn('sh', args, { ...ownerOfProcesses(), stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    this.#running = child;
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
    for (const start = Date.now(); ; await delay(30)) {
      const answer = await this.execute('SELECT 1').catch((error: Error) => error);
      if (!(answer instanceof Error)) return;
      if (!said.includes(TAKEN) && Date.now() - start <= START_MS) continue;
      await this.crash();
      throw new Error(`PostgreSQL does not start: ${answer.message}\n${said}`);
    }
  }

  /** It keeps its connections, and answers nothing until `thaw`. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Its data go too. */
  async stop(): Promise<void> {
    await this.#end('');
  }

  /** Each of its processes is the leader of a process group. */
  #signal(signal: NodeJS.Signals): void {
    const [postmaster] = readFileSync(join(this.#home, 'postmaster.pid'), 'utf8').split('\n');
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
    for (const id of [postmaster, ...children]) process.kill(Number(id), signal);
  }

  async #end(word: string): Promise<void> {
    const child = this.#running;
    if (!child) return;
    this.#running = undefined;
    const ended = once(child, 'exit');
    child.stdin?.end(word);
    await ended;
  }
}

/** The data of a server that never ran. */
export class PostgresData {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<PostgresData> {
    return new PostgresData(await initialData());
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

async function initialData(): Promise<string> {
  const initdb = binary('initdb');
  const home = newHome();
  // Texts in the order of a language: the store must not depend on it.
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'];
  const args = ['-D', home, '-U', 'svc', '--auth=trust', '--no-sync', ...locale];
  await promisify(execFile)(initdb, args, { ...ownerOfProcesses() });
  const access = join(home, 'pg_hba.conf');
  writeFileSync(access, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(access, 'utf8')}`);
  return home;
}

async function copiedData(data: string): Promise<string> {
  const home = newHome();
  await promisify(execFile)('cp', ['-r', `${data}/.`, home], { ...ownerOfProcesses() });
  return home;
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  const owner = ownerOfProcesses();
  if (owner) chownSync(home, owner.uid, owner.gid);
  return home;
}

export async function execute(sql: string, url: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root. */
function ownerOfProcesses(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? userIds('postgres') : undefined;
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function binary(name: string): string {
  return join(locateProgram('postgres'), name);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * The child process of `svc-service serve --toolkits`. It serves the file's toolkits, so that third-party code never runs in the service. It is
 * restarted with full jitter after an exit, and ends with this process.
 *
 * Errors: SERVICE_UNAVAILABLE while no child runs, and for a request without an answer in time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SvcError } from 'svc-sdk';
import type { Importer, ImportPreview, ImportRequest, ImportStatus, Keys, Logger, Service } from 'svc-service';
import { textOfFile } from '#sdk/protocol/decode-text';
import { Backoff } from '#sdk/toolkit/backoff';
import { importerEnvironment } from './importer-environment';
import { type IpcMessage, IpcPeer } from './ipc-peer';

/** `npx` may download a server, and a document may be large. */
const SOURCE_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** Added to the timeout of running calls. */
const STOP_TIMEOUT_MS = 10_000;
const KEY_NAME = 'serve --toolkits';

export interface ImporterProcessOptions {
  /** Path of `toolkits.yaml`. */
  file: string;
  logLevel: string;
  logger: Logger;
}

interface Running {
  child: ChildProcess;
  peer: IpcPeer;
}

export class ImporterProcess implements Importer {
  readonly #options: ImporterProcessOptions;
  readonly #backoff = new Backoff(Math.random);
  readonly #keys = new Map<string, Promise<{ id: string; key: string }>>();
  #service: Pick<Service, 'url' | 'keys'> | undefined;
  #running: Running | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: ImporterProcessOptions) {
    this.#options = options;
  }

  /** Rejects with INVALID_REQUEST for a file that cannot be used. */
  async start(service: Pick<Service, 'url' | 'keys'>): Promise<void> {
    this.#service = service;
    await revokeLeftKeys(service.keys);
    await this.#fork(service.url);
  }

  preview(request: ImportRequest): Promise<ImportPreview> {
    return this.#ask('preview', [request], SOURCE_TIMEOUT_MS);
  }

  add(request: ImportRequest, sha256: string): Promise<void> {
    return this.#ask('add', [request, sha256], SOURCE_TIMEOUT_MS);
  }

  list(): Promise<ImportStatus[]> {
    return this.#ask('list', [], ANSWER_TIMEOUT_MS);
  }

  approve(id: string, sha256: string): Promise<void> {
    return this.#ask('approve', [id, sha256], SOURCE_TIMEOUT_MS);
  }

  /** Waits `timeoutMs` for running calls, then ends the child and revokes its keys. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const { child, peer } = this.#running ?? {};
    if (child && isAlive(child)) {
      const ended = once(child, 'exit');
      await peer?.call('stop', [timeoutMs], timeoutMs + STOP_TIMEOUT_MS).catch(() => {});
      if (child.connected) child.disconnect();
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(deadline);
    }
    const keys = await Promise.allSettled(this.#keys.values());
    for (const made of keys) if (made.status === 'fulfilled') await this.#service?.keys.revoke(made.value.id).catch(() => {});
  }

  #ask<T>(name: string, args: readonly unknown[], timeoutMs: number): Promise<T> {
    if (this.#running) return this.#running.peer.call<T>(name, args, timeoutMs);
    return Promise.reject(noProcess());
  }

  async #fork(url: string): Promise<void> {
    const { file, logLevel } = this.#options;
    const env = importerEnvironment(
      process.env,
      await readFile(file)
        .then((bytes) => textOfFile(bytes, file))
        .catch(() => ''),
    );
    // The build writes both files to service/dist/.
    const program = fileURLToPath(new URL('./serve-imports.js', import.meta.url));
    const child = fork(program, [], { env, execArgv: [], serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'] });
    const peer = new IpcPeer((message, onSent) => void child.send(message, onSent), { keyOf: (id: string) => this.#keyOf(id) });
    child.on('message', (message: IpcMessage) => peer.receive(message));
    const startedAt = performance.now();
    this.#running = { child, peer };
    child.once('error', () => this.#onEnd(url, startedAt, null));
    child.once('exit', (code, signal) => this.#onEnd(url, startedAt, signal ?? code));
    try {
      await peer.call('start', [{ file, baseUrl: url, logLevel }], SOURCE_TIMEOUT_MS);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  #onEnd(url: string, startedAt: number, end: NodeJS.Signals | number | null): void {
    // A child that failed to start may emit both events.
    if (!this.#running) return;
    this.#running.peer.close(noProcess());
    this.#running = undefined;
    if (this.#isStopping) return;
    if (performance.now() - startedAt > 60_000) this.#backoff.reset();
    const restartInMs = this.#backoff.nextMs();
    this.#options.logger.error({ end, restartInMs }, 'the process that serves the toolkits ended');
    this.#restart = setTimeout(() => {
      this.#fork(url).catch((error: unknown) => this.#options.logger.error({ error }, 'the toolkits cannot be served'));
    }, restartInMs);
  }

  /** One per toolkit, reused after a restart of the child. */
  async #keyOf(id: string): Promise<string> {
    const made = this.#keys.get(id) ?? this.#makeKey(id);
    return (await made).key;
  }

  #makeKey(id: string): Promise<{ id: string; key: string }> {
    const made = this.#service?.keys.create({ kind: 'toolkit', name: `${KEY_NAME} (${id})`, toolkit: id }) ?? Promise.reject(noProcess());
    this.#keys.set(id, made);
    made.catch(() => this.#keys.delete(id));
    return made;
  }
}

/** A killed process did not revoke its keys. */
async function revokeLeftKeys(keys: Keys): Promise<void> {
  for (const { id, kind, name, revokedAt } of await keys.list()) {
    if (kind === 'toolkit' && name.startsWith(`${KEY_NAME} (`) && revokedAt === undefined) await keys.revoke(id);
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function noProcess(): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'The process that serves the toolkits is starting; try again in a moment');
}

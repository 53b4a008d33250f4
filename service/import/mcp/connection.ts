/** One connection to an MCP server: its client, and the actions of its last list. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { untilAborted } from '#sdk/protocol/until-aborted';
import { LONGEST_TIMER_MS } from '#sdk/toolkit/timers';
import { version } from '../../../package.json';
import type { SkippedPart } from '../imported-action';
import { reasonOf } from '../reason-of';
import { isHttp, type McpConfig, type ServerLogListener } from './config';
import { HttpTransport } from './http-transport';
import { listTools } from './list-tools';
import { logMessage } from './log-message';
import { readPageAction } from './page-action';
import { ProcessTransport } from './process-transport';
import { resourceActions } from './resource-actions';
import type { ServerAccess } from './server-access';
import type { ServerAction } from './server-action';
import { TASKS_EXTENSION, TaskClient } from './task-client';
import { hasPage } from './tool-meta';
import { RefusedByServer, UpstreamError } from './upstream-error';

/** `npx` may download the server first. */
export const START_TIMEOUT_MS = 120_000;
const LIST_DEBOUNCE_MS = 500;
/** A server that does not answer must not delay the toolkit's end. */
const END_SESSION_MS = 2_000;
const MS_PER_SECOND = 1_000;
const PING_TIMEOUT_MS = 10_000;

export interface ConnectionOptions {
  access: ServerAccess;
  /** Timeout until the actions are listed. */
  startTimeoutMs: number;
  log: ServerLogListener;
  /** Called with a log message of the server. */
  onMessage: ServerLogListener;
  /** Called with a complete list; again half a second after the server reports a change. */
  onActions(connection: Connection): void;
  /** Called when the server closes the connection. */
  onEnd(connection: Connection): void;
}

export interface OpenConnectionOptions {
  signal: AbortSignal;
  initialize: boolean;
}

export class Connection {
  readonly client: TaskClient;
  /** Original name -> the tool, or the reading of resources. */
  actions: ReadonlyMap<string, ServerAction> = new Map();
  /** Tools that cannot become actions. */
  skipped: readonly SkippedPart[] = [];
  readonly #transport: ProcessTransport | HttpTransport;
  readonly #options: ConnectionOptions;
  #isStale = false;
  #isRefreshing = false;

  private constructor(config: McpConfig, options: ConnectionOptions, initialize: boolean) {
    this.#options = options;
    this.#transport = isHttp(config)
      ? new HttpTransport(config, options.access)
      : new ProcessTransport(config, { log: options.log, redactor: options.access.redactor });
    // Each notice restarts the client's debounce, so a flood of them would delay the list without end.
    const changes = { autoRefresh: false, debounceMs: 0, onChanged: () => void this.#refreshSoon() };
    this.client = new TaskClient(
      { name: 'svc-sdk', version },
      {
        // No sampling, no roots, no elicitation: a server must not use the operator's model.
        capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        // A process would be started twice to detect the version.
        versionNegotiation: { mode: isHttp(config) && !initialize ? 'auto' : 'legacy' },
        listChanged: { tools: changes, resources: changes },
      },
    );
    this.client.onerror = () => {};
    this.client.setNotificationHandler('notifications/message', ({ params }) => options.onMessage(logMessage(params)));
  }

  /**
   * Rejects with UPSTREAM_UNREACHABLE, which quotes the last lines of stderr, and is RefusedByServer for an answer with status 401.
   *
   * @param opening.initialize sends `initialize`, without a request for the server's version
   */
  static async open(config: McpConfig, options: ConnectionOptions, { signal, initialize }: OpenConnectionOptions): Promise<Connection> {
    const connection = new Connection(config, options, initialize);
    const { startTimeoutMs } = options;
    const deadline = AbortSignal.timeout(startTimeoutMs);
    const ending = AbortSignal.any([signal, deadline]);
    try {
      await untilAborted(ending, connection.#start(ending));
    } catch (error) {
      await connection.close();
      const refused = connection.#refusal(error);
      if (refused) throw refused;
      const reason = deadline.aborted ? `no answer in ${startTimeoutMs / MS_PER_SECOND} s` : reasonOf(error);
      throw new UpstreamError('UPSTREAM_UNREACHABLE', connection.#startFault(reason), { retryable: true });
    }
    connection.client.onclose = () => options.onEnd(connection);
    return connection;
  }

  /** Undefined for any other error than an answer with status 401. */
  #refusal(error: unknown): RefusedByServer | undefined {
    const isRefusal = error instanceof SdkHttpError && error.status === 401;
    return isRefusal && !(this.#transport instanceof ProcessTransport) ? new RefusedByServer(error, this.#transport.challenge) : undefined;
  }

  get hasSession(): boolean {
    return !(this.#transport instanceof ProcessTransport) && this.#transport.sessionId !== undefined;
  }

  /** Resolves with the error of a request without effects; undefined if the server answers. */
  ping(): Promise<unknown> {
    return this.client.ping({ timeout: PING_TIMEOUT_MS }).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  async close(): Promise<void> {
    this.client.onclose = () => {};
    if (!(this.#transport instanceof ProcessTransport)) {
      const ended = this.#transport.terminateSession().catch(() => {});
      await Promise.race([ended, sleep(END_SESSION_MS, undefined, { ref: false })]);
    }
    await this.client.close();
    // The client drops a transport that failed to start.
    await this.#transport.close();
  }

  async #start(signal: AbortSignal): Promise<void> {
    // The signal ends the request.
    await this.client.connect(this.#transport, { timeout: LONGEST_TIMER_MS, signal });
    await this.#list();
  }

  async #list(): Promise<void> {
    const { client } = this;
    const tools = client.getServerCapabilities()?.tools ? await listTools(client) : { actions: [], skipped: [] };
    const names = new Set(tools.actions.map(({ original }) => original));
    // A server with tools for its resources needs no resource actions.
    const resources = (await resourceActions(client)).filter(({ wantedName }) => !names.has(wantedName));
    const pages = tools.actions.some(({ text }) => hasPage(text)) ? [readPageAction] : [];
    this.actions = new Map([...tools.actions, ...resources, ...pages].map((action) => [action.original, action]));
    this.skipped = tools.skipped;
    this.#options.onActions(this);
  }

  async #refreshSoon(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#isStale) {
      await sleep(LIST_DEBOUNCE_MS, undefined, { ref: false });
      this.#isStale = false;
      await this.#refresh();
    }
    this.#isRefreshing = false;
  }

  async #refresh(): Promise<void> {
    try {
      await this.#list();
    } catch (error) {
      this.#options.log({ level: 'warn', message: `The lists of the server changed and cannot be read: ${reasonOf(error)}` });
    }
  }

  #startFault(reason: string): string {
    const lastWords = this.#transport instanceof ProcessTransport ? this.#transport.lastWords : '';
    const fault = `The MCP server does not start: ${reason}${lastWords && `. Its last lines on stderr:\n${lastWords}`}`;
    return this.#options.access.redactor.text(fault);
  }
}

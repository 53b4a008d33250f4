/** One connection to an MCP server: its client, and its tools as it last listed them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Tool } from '@modelcontextprotocol/client';
import { version } from '../../../package.json';
import { fingerprint } from '../pins';
import { reasonOf } from '../reason-of';
import { isHttp, type McpConfig, type ServerLogListener } from './config';
import { HttpTransport } from './http-transport';
import { ProcessTransport } from './process-transport';
import { toActionText } from './tool-text';
import { UpstreamError } from './upstream-error';

/** `npx` may download the server first. */
const START_TIMEOUT_MS = 120_000;
const LIST_DEBOUNCE_MS = 500;
/** A server that does not answer must not keep the toolkit from ending. */
const END_SESSION_MS = 2_000;

export interface ListedTool {
  tool: Tool;
  fingerprint: string;
}

export interface ConnectionEvents {
  log: ServerLogListener;
  /** The list is complete; again half a second after the server said that it changed. */
  onTools(connection: Connection): void;
  /** The server ended it. */
  onEnd(connection: Connection): void;
}

export class Connection {
  readonly client: Client;
  tools: ReadonlyMap<string, ListedTool> = new Map();
  readonly #transport: ProcessTransport | HttpTransport;
  readonly #events: ConnectionEvents;
  #isStale = false;
  #isRefreshing = false;

  private constructor(config: McpConfig, events: ConnectionEvents) {
    this.#events = events;
    this.#transport = isHttp(config) ? new HttpTransport(config) : new ProcessTransport(config, events.log);
    this.client = new Client(
      { name: 'svc-sdk', version },
      {
        // No sampling, no roots, no elicitation: a server has no claim on the operator's model.
        capabilities: {},
        // A process would be started twice to find out.
        versionNegotiation: { mode: isHttp(config) ? 'auto' : 'legacy' },
        // The client's own wait begins anew with each notice, so a flood of them would put off the list for ever.
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void this.#refreshSoon() } },
      },
    );
    this.client.onerror = () => {};
  }

  /** Rejects with UPSTREAM_UNREACHABLE, which quotes the last lines of stderr. */
  static async open(config: McpConfig, events: ConnectionEvents, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(config, events);
    try {
      await connection.client.connect(connection.#transport, { timeout: START_TIMEOUT_MS, signal });
      await connection.#list();
    } catch (error) {
      await connection.close();
      throw new UpstreamError('UPSTREAM_UNREACHABLE', connection.#startFault(error), { retryable: true });
    }
    connection.client.onclose = () => events.onEnd(connection);
    return connection;
  }

  get hasSession(): boolean {
    return !(this.#transport instanceof ProcessTransport) && this.#transport.sessionId !== undefined;
  }

  async close(): Promise<void> {
    this.client.onclose = () => {};
    if (!(this.#transport instanceof ProcessTransport)) {
      const ended = this.#transport.terminateSession().catch(() => {});
      await Promise.race([ended, sleep(END_SESSION_MS, undefined, { ref: false })]);
    }
    await this.client.close();
    // The client lets go of a transport that failed to start.
    await this.#transport.close();
  }

  async #list(): Promise<void> {
    const { tools } = this.client.getServerCapabilities()?.tools
      ? await this.client.listTools(undefined, { cacheMode: 'refresh' })
      : { tools: [] };
    // The client would refuse results that differ from the schema, after the tool has run.
    this.tools = new Map(tools.map(({ outputSchema: _, ...tool }) => [tool.name, { tool, fingerprint: fingerprint(toActionText(tool)) }]));
    this.#events.onTools(this);
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
      this.#events.log({ level: 'warn', message: `The list of tools changed and cannot be read: ${reasonOf(error)}` });
    }
  }

  #startFault(error: unknown): string {
    const lastWords = this.#transport instanceof ProcessTransport ? this.#transport.lastWords : '';
    return `The MCP server does not start: ${reasonOf(error)}${lastWords && `. Its last lines on stderr:\n${lastWords}`}`;
  }
}

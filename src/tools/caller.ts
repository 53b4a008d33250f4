/** The requests of one user and conversation. Callers of one service share its client; each has its own connections and memory of searches. */
import type { ApprovalInfo, DecideRequest, RequiredApproval } from '../protocol/approvals';
import type { CallerAsk } from '../protocol/ask';
import type { Credential } from '../protocol/connections';
import { SvcError } from '../protocol/errors';
import {
  HEADERS,
  type InvokeResponse,
  PATHS,
  type Progress,
  type ResolveResponse,
  type SearchResponse,
  type UnfinishedInvocation,
} from '../protocol/http';
import { parseActionId } from '../protocol/ids';
import { isObject } from '../protocol/json-object';
import type { PROGRAM } from '../protocol/program-calls';
import { SearchMemory } from '../protocol/search-memory';
import { isApprovalInfo, isCodeRun, isInvokeResponse, isNothing, isResolveResponse, isSearchResponse } from './answers';
import type { CallerApprovalOptions, CallerApprovals } from './caller-approvals';
import type { CallerConnectionOptions, CallerConnections } from './caller-connections';
import type { CodeRunState } from './code-runs';
import type { ToolDefinition } from './definitions';
import type { DefaultedRequest, HttpClient, OptionalHeaders } from './http-client';
import type { PendingUsage, ReportedUsage } from './pending-usage';
import { sleep } from './retry';
import { headerText, lowestAmount, wholeNumber } from './settings';

/** The parts that all callers of one `Tools` share. */
export interface CallerSettings {
  http: HttpClient;
  timeoutMs: number;
  concurrency: number;
  maxResultChars: number;
  maxSearchTokens: number | undefined;
  maxPayment: string | undefined;
  /** The tools that every model of the `Tools` gets. */
  definitions: readonly ToolDefinition[];
}

export interface CallerOptions extends CallerConnectionOptions, CallerApprovalOptions {
  userId?: string | undefined;
  sessionId?: string | undefined;
}

export interface SearchCall {
  query: string;
  limit?: number | undefined;
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface InvokeCall {
  /** A model reads the outcome: it gets a handle before the time is over, and its next step in an error. */
  forModel?: boolean;
  /** Milliseconds until the handle of a long call, which a model reads. */
  waitMs?: number | undefined;
  /** False takes a handle at once. */
  wait?: boolean | undefined;
  idempotencyKey: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxResultChars?: number | undefined;
  maxPayment?: string | undefined;
  actionVersion?: string | undefined;
  madeBy?: typeof PROGRAM | undefined;
  ask?: CallerAsk | undefined;
  /** True for a question that the user of the application has approved. */
  isApproved?: ((approval: RequiredApproval) => boolean) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  userId?: string | undefined;
  connection?: Credential | undefined;
  connectionName?: string | undefined;
}

export interface RunCall extends Pick<InvokeCall, 'idempotencyKey' | 'signal' | 'timeoutMs' | 'maxPayment' | 'ask'> {}

/** A request with the connections of its user. */
type Called<T> = Omit<DefaultedRequest<T>, 'method' | 'connection'> & Pick<InvokeCall, 'userId' | 'connection' | 'connectionName'>;

export interface FollowCall {
  /** Seconds. */
  wait?: number | undefined;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

type Followed = InvokeResponse | UnfinishedInvocation;

const MAX_FOLLOW_SECONDS = 60;
/** Time for the answer beside the wait. */
const FOLLOW_ANSWER_MS = 10_000;

/** The beginning of the id of a run. */
const RUN = 'run_';

/** A longer timeout overflows the timers of every platform. */
export const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

export class Caller {
  readonly settings: CallerSettings;
  readonly userId: string | undefined;
  readonly #options: CallerOptions;
  /** Toolkits that need a credential: the same for all users of a service. */
  readonly #needed: Set<string>;
  #connections: Promise<CallerConnections> | undefined;
  #approvals: Promise<CallerApprovals> | undefined;
  /** Tokens to report with the next request of the session. */
  #usage: Promise<PendingUsage> | undefined;
  /** Searches that led to calls: the service learns only from calls that name their search. */
  readonly #searches = new SearchMemory();

  /** @throws SvcError INVALID_REQUEST */
  constructor(settings: CallerSettings, options: CallerOptions, needed = new Set<string>()) {
    const { connections, onConnectionRequired, onApprovalRequired, approvals } = options;
    for (const [name, option] of Object.entries({ connections, onConnectionRequired, onApprovalRequired }))
      if (option !== undefined && typeof option !== 'function') throw new SvcError('INVALID_REQUEST', `${name} is a function`);
    if (approvals !== undefined && approvals !== 'report' && approvals !== 'wait')
      throw new SvcError('INVALID_REQUEST', 'approvals is "report" or "wait"');
    this.settings = settings;
    this.userId = headerText('userId', options.userId);
    headerText('sessionId', options.sessionId);
    this.#options = options;
    this.#needed = needed;
  }

  /** Another user or conversation. Options that are absent stay. */
  for(options: CallerOptions): Caller {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    return new Caller(this.settings, { ...this.#options, ...given }, this.#needed);
  }

  /** Asks the user once for each toolkit while `work` runs. */
  async askOnce<T>(work: () => Promise<T>): Promise<T> {
    const connections = await this.#load();
    return connections ? connections.askOnce(work) : work();
  }

  async search({ signal, maxTokens = this.settings.maxSearchTokens, ...wish }: SearchCall): Promise<SearchResponse> {
    let searchId: string | null = null;
    const found = await this.#send({
      method: 'POST',
      path: PATHS.search,
      body: { ...wish, maxTokens },
      isAnswer: isSearchResponse,
      callerHeaders: this.#headers(),
      searchId: this.#searches.newest,
      onHeaders: (headers) => {
        searchId = headers.get(HEADERS.searchId);
      },
      signal,
    });
    if (searchId !== null) this.#searches.add(searchId, shownIn(found));
    return found;
  }

  /** @param body as a model wrote it, or of an action and its payload */
  async invoke(body: unknown, { isApproved, timeoutMs, wait, forModel = false, ...call }: InvokeCall): Promise<Followed> {
    const maxPayment = lowestAmount('maxPayment', this.settings.maxPayment, call.maxPayment);
    headerText('actionVersion', call.actionVersion);
    const ownMs = timeoutMs === undefined ? undefined : wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS);
    const request = {
      ...{ path: PATHS.invoke, body, isAnswer: isInvokeResponse, maxPayment, searchId: this.#searches.thatShowed(actionIn(body)) },
      ...(wait === false
        ? { takesHandle: 'now' as const, deadlineMs: ownMs ?? ('default' as const) }
        : forModel && { takesHandle: 'later' as const }),
    };
    const send = (ms: number) => this.#call({ ...call, ...request, timeoutMs: ms });
    const callMs = (wait === false ? undefined : ownMs) ?? this.settings.timeoutMs;
    const endsAt = performance.now() + callMs;
    try {
      return await send(callMs);
    } catch (error) {
      if (!SvcError.is(error) || error.code !== 'APPROVAL_REQUIRED') throw error;
      const { userId = this.userId, signal } = call;
      const resolve = () => this.resolve(body, { userId, signal });
      const approvals = await this.#loadApprovals();
      return await approvals.goOn({ error, userId, forModel, isApproved, timeoutMs: callMs, endsAt, signal, send, resolve });
    }
  }

  /** Sends the credentials of the user, for which the call may be made again. */
  async #call<T>({ userId = this.userId, connection, connectionName, ...call }: Called<T>): Promise<T> {
    const { body, signal } = call;
    const request = { ...call, method: 'POST', callerHeaders: this.#headers(headerText('userId', userId)) } as const;
    const action = actionIn(body);
    const toolkit = typeof action === 'string' ? parseActionId(action)?.toolkitId : undefined;
    const connections = await this.#load(connection ?? connectionName);
    if (!connections) return this.#send(request);
    const connected = { toolkit, userId, connection, connectionName, signal };
    return connections.call(connected, (sent) => this.#send({ ...request, connection: sent }));
  }

  /** The call that `invoke` with the same body would run. With `ask` it makes the question that the call needs. */
  resolve(body: unknown, options: Pick<InvokeCall, 'ask' | 'signal' | 'userId'>): Promise<ResolveResponse> {
    // The call runs by the question that this makes.
    const searchId = options.ask && this.#searches.thatShowed(actionIn(body));
    return this.#call({ ...options, path: PATHS.resolve, body, isAnswer: isResolveResponse, searchId });
  }

  /** The result of a call that goes on without its caller, or how far it is. */
  async follow(handle: string, { wait = 0, timeoutMs, signal }: FollowCall): Promise<Followed> {
    if (!Number.isInteger(wait) || wait < 0 || wait > MAX_FOLLOW_SECONDS)
      throw new SvcError('INVALID_REQUEST', `wait must be a whole number of seconds from 0 to ${MAX_FOLLOW_SECONDS}, not ${String(wait)}`);
    const path = `${pathOf(PATHS.invocations, handle)}?wait=${wait}`;
    const longestMs = Math.max(this.settings.timeoutMs, wait * 1_000 + FOLLOW_ANSWER_MS);
    return this.request({ method: 'GET', path, isAnswer: isInvokeResponse, timeoutMs: timeoutMs ?? longestMs, signal });
  }

  async cancel(handle: string): Promise<void> {
    const path = handle.startsWith(RUN) ? PATHS.runs : PATHS.invocations;
    await this.request({ method: 'DELETE', path: pathOf(path, handle), isAnswer: isNothing });
  }

  /** Starts a program, or goes on with a run, and follows it as far as the time reaches. */
  async run(what: { code: string } | { run: string }, { signal, timeoutMs, ...call }: RunCall): Promise<CodeRunState> {
    const ms = timeoutMs === undefined ? this.settings.timeoutMs : wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS);
    const [approvals, connections, { followCodeRun }] = await Promise.all([this.#loadApprovals(), this.#load(), import('./on-demand')]);
    const shared = { isAnswer: isCodeRun, signal, takesHandle: 'later', deadlineMs: 'default' } as const;
    const follow = (run: string, waitMs: number) =>
      this.request({ ...shared, method: 'GET', path: pathOf(PATHS.runs, run), waitMs, timeoutMs: waitMs + FOLLOW_ANSWER_MS });
    const start = (code: string) =>
      this.#send({
        ...{ ...shared, ...call, method: 'POST', path: PATHS.runs, body: { code }, timeoutMs: ms },
        ...{ callerHeaders: this.#headers(), searchId: this.#searches.newest },
        connection: { credential: undefined, names: connections?.names },
        maxPayment: lowestAmount('maxPayment', this.settings.maxPayment, call.maxPayment),
      });
    const startedAt = performance.now();
    const first = 'run' in what ? await follow(what.run, 0) : await start(what.code);
    const user = { userId: this.userId, signal, approvals, connections, waitsForPeople: this.#options.approvals === 'wait' };
    return followCodeRun(first, follow, user, ms - (performance.now() - startedAt));
  }

  /** Whether the application shows the links of approvals, and of connect pages, itself. */
  get showsLinks(): { approvals: boolean; connections: boolean } {
    const { onApprovalRequired, onConnectionRequired } = this.#options;
    return { approvals: onApprovalRequired !== undefined, connections: onConnectionRequired !== undefined };
  }

  readonly sleep = sleep;

  decide(approvalId: string, body: DecideRequest): Promise<ApprovalInfo> {
    return this.request({ method: 'POST', path: pathOf(PATHS.approvals, approvalId), body, isAnswer: isApprovalInfo });
  }

  request<T>({ timeoutMs = this.settings.timeoutMs, ...request }: DefaultedRequest<T>): Promise<T> {
    return this.settings.http.request({ ...request, timeoutMs: wholeNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS) });
  }

  async reportUsage(usage: ReportedUsage): Promise<void> {
    if (this.#options.sessionId === undefined)
      throw new SvcError('INVALID_REQUEST', 'Tokens are reported for a session: new Tools({ sessionId }), or tools.for({ sessionId })');
    this.#usage ??= import('./on-demand').then((loaded) => new loaded.PendingUsage(this.#headers(), (request) => this.request(request)));
    (await this.#usage).add(usage);
  }

  async flushUsage(): Promise<void> {
    await (await this.#usage)?.flush();
  }

  /** Sends a request of the session. */
  async #send<T>(request: DefaultedRequest<T>): Promise<T> {
    return this.#usage ? (await this.#usage).sendWith(request) : this.request(request);
  }

  #headers(userId = this.userId): OptionalHeaders {
    return { [HEADERS.userId]: userId, [HEADERS.sessionId]: this.#options.sessionId };
  }

  /** Undefined for calls without connections, which most programs make: they do not load the code. */
  #load(ofCall?: unknown): Promise<CallerConnections> | undefined {
    const { connections, connectionNames, onConnectionRequired } = this.#options;
    if ((ofCall ?? connections ?? connectionNames ?? onConnectionRequired) === undefined) return undefined;
    this.#connections ??= import('./on-demand').then((loaded) => new loaded.CallerConnections(this.#options, this.#needed));
    return this.#connections;
  }

  #loadApprovals(): Promise<CallerApprovals> {
    this.#approvals ??= import('./on-demand').then((loaded) => new loaded.CallerApprovals(this.#options, this));
    return this.#approvals;
  }
}

function pathOf(path: string, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

function actionIn(body: unknown): unknown {
  return isObject(body) ? body.action : undefined;
}

function shownIn({ actions, more = [] }: SearchResponse): string[] {
  return [...actions, ...more].map(({ action }) => action);
}

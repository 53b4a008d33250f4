/**
 * The part of a toolkit that `run()` starts, loaded only then: connects, registers, keeps the connection, reconnects after every loss, drains on
 * stop.
 *
 * Shape:  phases opening -> registered -> waiting -> opening …, until ended; a move goes from registered to opening. Callbacks run in the order
 *         of the frames.
 * Errors: `ended` and `ready` reject with INVALID_ACTION or the service's own error at the first registration, and with the key's error at any
 *         time; everything else is a status, and another try.
 * Source: docs/protocol.md section 6.
 */
import type { WebSocket as Socket } from 'ws';
import { SvcError } from '../protocol/errors';
import { METHODS, type ReconnectParams, type RegisterResult, type ToolkitDetails } from '../protocol/frames';
import type { Action } from './action-definition';
import { Backoff } from './backoff';
import { connectionNotices } from './connection-notices';
import { quietDeferred } from './deferred';
import { DetailsUpdates } from './details-updates';
import type { Fault } from './fault';
import { Heartbeat } from './heartbeat';
import { Invocations } from './invocations';
import { loadSocket } from './load-socket';
import { Move } from './move';
import type { CheckedOptions } from './options';
import { readRegisterResult, readWarnings, registerParamsJson, rejectedActionsError } from './registration';
import { type Answer, ServiceConnection } from './service-connection';
import { SkippedActions } from './skipped-actions';
import type { Registration, StatusListener, ToolkitStatus } from './status';

export interface SessionOptions extends CheckedOptions {
  /** Live: what it holds at the time is registered. */
  actions: ReadonlyMap<string, Action>;
  details: ToolkitDetails;
  // Tests cannot wait as long as the defaults.
  random?: () => number;
  openMs?: number;
  deliveryMs?: number;
  giveUpMs?: number;
}

export interface StopOptions {
  /** Milliseconds that running handlers have; then their signals abort, and soon after they are given up. Default: until they end. */
  timeoutMs?: number | undefined;
}

const OPEN_MS = 20_000;
/** After the last handler ended, for its result to arrive. The service keeps a place for a lost instance for 5 s. */
const DELIVERY_MS = 10_000;
/** Time from a result to the heartbeat that confirms it: a toolkit that has nothing to do owes nothing. */
const CONFIRM_MS = 500;
/** Time for handlers to end after their signals were aborted by `stop`. */
const GIVE_UP_MS = 1_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #instance = crypto.randomUUID();
  readonly #details: DetailsUpdates;
  readonly #backoff: Backoff;
  readonly #move: Move;
  readonly #invocations: Invocations;
  readonly #ready = quietDeferred<Registration>();
  readonly #ended = quietDeferred<void>();
  readonly #skipped = new SkippedActions();
  readonly #onStatus: StatusListener;
  #phase: 'opening' | 'registered' | 'waiting' | 'ended' = 'opening';
  #Socket: typeof Socket | undefined;
  #connection: ServiceConnection | undefined;
  #heartbeat: Heartbeat | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #registration: Registration | undefined;
  #connections = 0;
  #registeredOn = 0;
  #registeredBefore = 0;
  #listVersion = 0;
  #registering = false;
  #stopping = false;
  #drained = false;
  #deliveryTimer: ReturnType<typeof setTimeout> | undefined;
  #stopTimer: ReturnType<typeof setTimeout> | undefined;
  #endReason: SvcError | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#onStatus = options.onStatus ?? connectionNotices(options);
    this.#details = new DetailsUpdates(options.details);
    const { random = Math.random } = options;
    this.#backoff = new Backoff(random);
    this.#move = new Move(() => this.#open(), random);
    this.#invocations = new Invocations(options, {
      send: (frame) => this.#connection?.send(frame),
      request: (method, paramsJson, settle) => this.#connection?.request(method, paramsJson, settle),
      changed: () => this.#onInvocationsChanged(),
    });
  }

  get #skips(): boolean {
    return this.#options.onRejected === 'skip';
  }

  get ready(): Promise<Registration> {
    return this.#ready.promise;
  }

  /** Resolves when stopped. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Once. */
  async start(): Promise<void> {
    try {
      this.#Socket = await loadSocket();
    } catch (error) {
      this.#end(error as SvcError);
      return;
    }
    this.#connect();
  }

  updateToolkit(details: ToolkitDetails): Promise<void> {
    return this.#phase === 'ended' ? Promise.reject(stoppedError()) : this.#details.update(details);
  }

  /** The whole list is sent again, once for all changes of one event-loop turn. */
  actionsChanged(): void {
    this.#listVersion++;
    if (this.#phase === 'registered') setImmediate(() => this.#registerChanges());
  }

  stop({ timeoutMs }: StopOptions): Promise<void> {
    if (this.#phase !== 'ended') this.#beginStop(timeoutMs);
    return this.#ended.promise.catch(() => {});
  }

  #connect(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'opening';
    this.#tell({ state: 'connecting' });
    this.#connection = this.#open();
  }

  #open(): ServiceConnection {
    const { url, apiKey, openMs = OPEN_MS } = this.#options;
    const connection: ServiceConnection = new ServiceConnection(
      { Socket: this.#Socket as typeof Socket, url, apiKey, openMs },
      {
        opened: () => this.#onOpened(connection),
        invoke: (id, params) => this.#invocations.invoke(id, params),
        cancel: (params) => this.#invocations.cancel(params),
        reconnect: (params) => this.#onReconnect(params),
        closed: (fault) => this.#onClosed(connection, fault),
      },
    );
    return connection;
  }

  #onReconnect(params: unknown): void {
    const { withinMs } = Object(params) as Partial<ReconnectParams>;
    // A stopping toolkit needs no other node: it would get new calls there, until it drains again.
    if (!this.#stopping && typeof withinMs === 'number' && withinMs >= 0) this.#move.begin(withinMs);
  }

  #onOpened(connection: ServiceConnection): void {
    if (connection !== this.#connection) this.#moveTo(connection);
    this.#connections++;
    this.#registeredBefore = this.#registeredOn;
    this.#register();
  }

  /**
   * The former connection is ignored before `register` goes out on the new one: an invocation that came in between would not
   * be listed there, and be given to another process as one that never arrived.
   */
  #moveTo(connection: ServiceConnection): void {
    this.#phase = 'opening';
    this.#move.arrived();
    this.#connection?.retire();
    this.#suspend();
    this.#connection = connection;
  }

  #register(): void {
    const { actions, concurrency } = this.#options;
    const version = this.#listVersion;
    const params = registerParamsJson({
      instance: this.#instance,
      ...(this.#details.current && { toolkit: this.#details.current }),
      actions: Array.from(actions.values(), ({ registration }) => registration),
      concurrency,
      unfinished: this.#invocations.unfinished(),
      connection: this.#connections,
      registered: this.#registeredBefore,
    });
    this.#registering = true;
    this.#connection?.request(METHODS.register, params, (answer) => {
      this.#registering = false;
      this.#onRegisterAnswer(answer);
      // The service forgets a drain when it registers: never let the two cross.
      if (this.#stopping) this.#drain();
      else if (version !== this.#listVersion) this.#registerChanges();
    });
  }

  #registerChanges(): void {
    if (this.#phase === 'registered' && !this.#registering && !this.#stopping) this.#register();
  }

  #onRegisterAnswer(answer: Answer): void {
    if (answer.kind === 'refused') this.#onRegistrationRefused(answer.error);
    if (answer.kind !== 'result') return;
    const result = readRegisterResult(answer.result);
    if (!result) this.#connection?.breakOff('its answer to register is not of protocol 1');
    else if (!this.#registration && result.rejected.length > 0 && !this.#skips) this.#end(rejectedActionsError(result.rejected));
    else this.#onRegistered(result);
  }

  #onRegistrationRefused(error: SvcError): void {
    // A change of the list was refused: the service keeps the one from before, and so serving goes on.
    if (this.#phase === 'registered' && this.#registration) {
      this.#tell({ state: 'connected', ...this.#registration, rejected: [], refused: error });
    } else if (this.#registration || error.retryable) this.#connection?.leave(error);
    else this.#end(error);
  }

  #onRegistered(result: RegisterResult): void {
    const { toolkit, accepted, rejected } = result;
    this.#registration = { toolkit, accepted, ...readWarnings(result) };
    if (this.#skips && !this.#options.onStatus) this.#skipped.report(rejected);
    if (this.#phase === 'opening') this.#onConnected(result);
    this.#ready.resolve(this.#registration);
    this.#tell({ state: 'connected', ...this.#registration, rejected });
  }

  #onConnected({ awaiting, heartbeatMs }: RegisterResult): void {
    this.#phase = 'registered';
    this.#registeredOn++;
    this.#backoff.reset();
    this.#connection?.settled();
    this.#heartbeat = new Heartbeat(heartbeatMs, {
      beat: (answered) => this.#beat(answered),
      lost: () => this.#connection?.cutOff(`no answer to a heartbeat within ${heartbeatMs} ms`),
    });
    this.#invocations.resume(awaiting);
    this.#details.resume((paramsJson, settle) => this.#connection?.request(METHODS.update, paramsJson, settle));
  }

  #beat(answered: () => void): void {
    const sent = this.#invocations.takeSent();
    this.#connection?.request(METHODS.heartbeat, '{}', (answer) => {
      if (answer.kind === 'lost') return;
      answered();
      this.#invocations.confirm(sent);
    });
  }

  #onInvocationsChanged(): void {
    const { unconfirmed, muchUnconfirmed } = this.#invocations;
    if (muchUnconfirmed) this.#heartbeat?.now();
    else if (unconfirmed) this.#heartbeat?.within(CONFIRM_MS);
    this.#advanceStop();
  }

  #suspend(): void {
    this.#connection = undefined;
    this.#heartbeat?.stop();
    this.#heartbeat = undefined;
    this.#drained = false;
    this.#invocations.suspend();
    this.#details.suspend();
  }

  #onClosed(connection: ServiceConnection, { error, final, frameTooLarge }: Fault): void {
    if (connection !== this.#connection) return this.#move.closed(connection, error);
    this.#move.cancel();
    this.#suspend();
    const registrationTooLarge = frameTooLarge && !this.#registration;
    if (frameTooLarge) this.#invocations.replaceLargest();
    if (this.#phase === 'ended') this.#finish();
    else if (final) this.#end(error);
    else if (registrationTooLarge) this.#end(registrationTooLargeError());
    else if (this.#stopping && !this.#invocations.owing) this.#end();
    else this.#retryLater(error);
  }

  #retryLater(reason: SvcError): void {
    this.#phase = 'waiting';
    const retryInMs = this.#backoff.nextMs(reason.retryAfterMs);
    this.#tell({ state: 'disconnected', reason, retryInMs });
    this.#retryTimer = setTimeout(() => this.#connect(), retryInMs);
  }

  #beginStop(timeoutMs: number | undefined): void {
    if (timeoutMs !== undefined) {
      clearTimeout(this.#stopTimer);
      this.#stopTimer = setTimeout(() => this.#abortHandlers(), timeoutMs);
    }
    if (this.#stopping) return;
    this.#stopping = true;
    this.#move.cancel();
    this.#drain();
    this.#advanceStop();
  }

  #abortHandlers(): void {
    this.#invocations.abortAll('The toolkit stops');
    const { giveUpMs = GIVE_UP_MS } = this.#options;
    this.#stopTimer = setTimeout(() => this.#invocations.giveUp(), giveUpMs);
  }

  #drain(): void {
    if (this.#phase !== 'registered' || this.#registering) return;
    this.#connection?.request(METHODS.drain, '{}', (answer) => {
      if (answer.kind === 'lost') return;
      this.#drained = true;
      this.#advanceStop();
    });
  }

  /** Ends as soon as every handler has ended, every result has arrived, and the service knows that none should come. */
  #advanceStop(): void {
    if (!this.#stopping || this.#phase === 'ended') return;
    const { busy, owing } = this.#invocations;
    if (busy) {
      clearTimeout(this.#deliveryTimer);
      this.#deliveryTimer = undefined;
      return;
    }
    if (owing || (this.#phase === 'registered' && !this.#drained)) {
      this.#deliveryTimer ??= setTimeout(() => this.#end(), this.#options.deliveryMs ?? DELIVERY_MS);
      if (owing) this.#heartbeat?.now();
    } else this.#end();
  }

  #end(reason?: SvcError): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#endReason = reason;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#deliveryTimer);
    clearTimeout(this.#stopTimer);
    this.#move.cancel();
    this.#heartbeat?.stop();
    this.#invocations.abortAll('The toolkit stopped');
    this.#details.fail(reason ?? stoppedError());
    this.#ready.reject(reason ?? stoppedError());
    if (this.#connection) this.#connection.close();
    else this.#finish();
  }

  #finish(): void {
    const reason = this.#endReason;
    this.#tell({ state: 'stopped', ...(reason && { reason }) });
    if (reason) this.#ended.reject(reason);
    else this.#ended.resolve();
  }

  /** Later, and whatever it throws: the listener must not be able to disturb the connection. */
  #tell(status: ToolkitStatus): void {
    const told = Promise.resolve(status).then(this.#onStatus);
    told.catch(() => {});
  }
}

function stoppedError(): SvcError {
  return new SvcError('CONNECTION_CLOSED', 'The toolkit was stopped', { retryable: false });
}

function registrationTooLargeError(): SvcError {
  return new SvcError('REQUEST_TOO_LARGE', 'The actions together are larger than the service takes: shorten their payload descriptions');
}

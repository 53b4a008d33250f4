/**
 * The part of a toolkit that `run()` loads and starts: registers on every connection, serves calls, and ends when stopped or permanently
 * refused.
 *
 * Shape:  phases opening -> registered -> waiting -> opening …, until ended; a move goes from registered to opening. Callbacks run in the
 *         order of the frames.
 * Errors: `ended` and `ready` reject with INVALID_ACTION or the service's own error at the first registration, and with the key's error at
 *         any time; every other error is reported as a status and followed by a retry.
 * Source: docs/protocol.md section 6.
 */
import { SvcError } from '../protocol/errors';
import { METHODS, type RegisterResult, type ToolkitDetails } from '../protocol/frames';
import type { Action } from './action-definition';
import { Confirmations } from './confirmations';
import { quietDeferred } from './deferred';
import { DetailsUpdates } from './details-updates';
import type { Fault } from './fault';
import { Invocations } from './invocations';
import type { CheckedOptions } from './options';
import { Registrar } from './registrar';
import { readRegisterResult, readWarnings, rejectedActionsError } from './registration';
import type { Answer } from './service-connection';
import { ServiceLink, type ServiceLinkOptions } from './service-link';
import { Shutdown, type ShutdownTimes, type StopOptions } from './shutdown';
import type { Registration } from './status';
import { StatusReporter } from './status-reporter';

/** The options for times are for tests. */
export interface ToolkitSessionOptions extends CheckedOptions, Pick<ServiceLinkOptions, 'random' | 'openMs'>, ShutdownTimes {
  /** Live: each registration sends its current entries. */
  actions: ReadonlyMap<string, Action>;
  details: ToolkitDetails;
}

type Phase = { name: 'opening' | 'registered' | 'waiting' } | { name: 'ended'; reason: SvcError | undefined };

export class ToolkitSession {
  readonly #failsOnRejected: boolean;
  readonly #status: StatusReporter;
  readonly #link: ServiceLink;
  readonly #details: DetailsUpdates;
  readonly #invocations: Invocations;
  readonly #registrar: Registrar;
  readonly #confirmations: Confirmations;
  readonly #shutdown: Shutdown;
  readonly #promises = { ready: quietDeferred<Registration>(), ended: quietDeferred<void>() };
  #state: { phase: Phase; registration?: Registration } = { phase: { name: 'opening' } };

  constructor(options: ToolkitSessionOptions) {
    this.#failsOnRejected = options.onRejected !== 'skip';
    this.#status = new StatusReporter(options);
    this.#details = new DetailsUpdates(options.details);
    this.#link = new ServiceLink(options, {
      connecting: () => this.#onConnecting(),
      leaving: () => this.#onLeaving(),
      opened: () => this.#onOpened(),
      invoke: (id, params) => this.#invocations.invoke(id, params),
      cancel: (params) => this.#invocations.cancel(params),
      warning: (params) => this.#status.warn(params),
      closed: (fault) => this.#onClosed(fault),
    });
    this.#invocations = new Invocations(
      { ...options, details: this.#details },
      {
        send: (frame) => this.#link.connection?.send(frame),
        request: (method, paramsJson, settle) => {
          const { connection } = this.#link;
          if (connection) connection.request(method, paramsJson, settle);
          else settle({ kind: 'lost' });
        },
        warn: (warning) => this.#status.warn(warning),
        changed: () => this.#onInvocationsChanged(),
      },
    );
    this.#registrar = new Registrar({ ...options, details: this.#details, invocations: this.#invocations });
    this.#confirmations = new Confirmations(this.#invocations);
    const port = {
      drain: (drained: () => void) => this.#drain(drained),
      canEnd: (drained: boolean) => drained || this.#phase !== 'registered',
      confirm: () => this.#confirmations.now(),
      end: () => this.#end(),
    };
    this.#shutdown = new Shutdown(this.#invocations, port, options);
  }

  get ready(): Promise<Registration> {
    return this.#promises.ready.promise;
  }

  /** Resolves when stopped. */
  get ended(): Promise<void> {
    return this.#promises.ended.promise;
  }

  async start(): Promise<void> {
    try {
      await this.#link.load();
    } catch (error) {
      this.#end(error as SvcError);
      return;
    }
    if (this.#phase !== 'ended') this.#link.connect();
  }

  updateToolkit(details: ToolkitDetails): Promise<void> {
    return this.#phase === 'ended' ? Promise.reject(stoppedError()) : this.#details.update(details);
  }

  /** Registers the whole list again, once for all changes of one event-loop turn. */
  actionsChanged(): void {
    this.#registrar.listChanged();
    if (this.#phase === 'registered') setImmediate(() => this.#registerChanges());
  }

  stop(options: StopOptions): Promise<void> {
    if (this.#phase !== 'ended') {
      this.#link.stopMoving();
      this.#shutdown.begin(options);
    }
    return this.ended.catch(() => {});
  }

  get #phase(): Phase['name'] {
    return this.#state.phase.name;
  }

  #onConnecting(): void {
    this.#state.phase = { name: 'opening' };
    this.#status.report({ state: 'connecting' });
  }

  #onLeaving(): void {
    this.#state.phase = { name: 'opening' };
    this.#suspend();
  }

  #onOpened(): void {
    this.#registrar.opened();
    this.#register();
  }

  #register(): void {
    this.#registrar.register(this.#link.connection, (answer) => {
      this.#onRegisterAnswer(answer);
      // A registration ends a drain at the service, so the drain is sent after the answer.
      if (this.#shutdown.begun) this.#shutdown.drain();
      else if (this.#registrar.isOutdated) this.#registerChanges();
    });
  }

  #registerChanges(): void {
    if (this.#phase === 'registered' && !this.#registrar.underWay && !this.#shutdown.begun) this.#register();
  }

  #onRegisterAnswer(answer: Answer): void {
    if (answer.kind === 'refused') this.#onRegistrationRefused(answer.error);
    if (answer.kind !== 'result') return;
    const result = readRegisterResult(answer.result);
    if (!result) this.#link.connection?.breakOff('its answer to register is not of protocol 1');
    else if (!this.#state.registration && result.rejected.length > 0 && this.#failsOnRejected)
      this.#end(rejectedActionsError(result.rejected));
    else this.#onRegistered(result);
  }

  #onRegistrationRefused(error: SvcError): void {
    const { registration } = this.#state;
    // The service refused a change of the list and keeps the former list. The toolkit continues to serve.
    if (this.#phase === 'registered' && registration)
      this.#status.report({ state: 'connected', ...registration, rejected: [], refused: error });
    else if (registration || error.retryable) {
      // A pending update of the details may be the reason. Without failing it, the next registration would be refused too.
      if (!error.retryable) this.#details.fail(error);
      this.#link.connection?.leave(error);
    } else this.#end(error);
  }

  #onRegistered(result: RegisterResult): void {
    const { toolkit, accepted, rejected } = result;
    const registration = { toolkit, accepted, ...readWarnings(result) };
    this.#state.registration = registration;
    if (this.#phase === 'opening') this.#serve(result);
    this.#promises.ready.resolve(registration);
    this.#status.report({ state: 'connected', ...registration, rejected });
  }

  #serve({ awaiting, heartbeatMs }: RegisterResult): void {
    this.#state.phase = { name: 'registered' };
    this.#registrar.registered();
    this.#link.settled();
    this.#confirmations.start(this.#link.connection, heartbeatMs);
    this.#invocations.resume(awaiting);
    this.#details.resume((paramsJson, settle) => this.#link.connection?.request(METHODS.update, paramsJson, settle));
  }

  #onInvocationsChanged(): void {
    this.#confirmations.invocationsChanged();
    if (this.#phase !== 'ended') this.#shutdown.advance();
  }

  #drain(drained: () => void): void {
    if (this.#phase !== 'registered' || this.#registrar.underWay) return;
    this.#link.connection?.request(METHODS.drain, '{}', (answer) => {
      if (answer.kind !== 'lost' && this.#phase !== 'ended') drained();
    });
  }

  #suspend(): void {
    this.#confirmations.stop();
    this.#shutdown.suspend();
    this.#invocations.suspend();
    this.#details.suspend();
  }

  #onClosed({ error, final, frameTooLarge }: Fault): void {
    this.#suspend();
    if (frameTooLarge) this.#invocations.replaceLargest();
    if (this.#phase === 'ended') this.#finish();
    else if (final) this.#end(error);
    else if (frameTooLarge && !this.#state.registration) this.#end(registrationTooLargeError());
    else if (this.#shutdown.begun && !this.#invocations.hasUndelivered) this.#end();
    else this.#retryLater(error);
  }

  #retryLater(reason: SvcError): void {
    this.#state.phase = { name: 'waiting' };
    this.#status.report({ state: 'disconnected', reason, retryInMs: this.#link.retryLater(reason) });
  }

  #end(reason?: SvcError): void {
    if (this.#phase === 'ended') return;
    this.#state.phase = { name: 'ended', reason };
    this.#shutdown.close();
    this.#confirmations.stop();
    this.#invocations.abortAll('The toolkit stopped');
    this.#details.fail(reason ?? stoppedError());
    this.#promises.ready.reject(reason ?? stoppedError());
    if (!this.#link.close()) this.#finish();
  }

  #finish(): void {
    const { phase } = this.#state;
    const reason = phase.name === 'ended' ? phase.reason : undefined;
    this.#status.report({ state: 'stopped', ...(reason && { reason }) });
    if (reason) this.#promises.ended.reject(reason);
    else this.#promises.ended.resolve();
  }
}

function stoppedError(): SvcError {
  return new SvcError('CONNECTION_CLOSED', 'The toolkit was stopped', { retryable: false });
}

function registrationTooLargeError(): SvcError {
  return new SvcError('REQUEST_TOO_LARGE', 'The actions together are larger than the service allows: shorten their payload descriptions');
}

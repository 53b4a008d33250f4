/**
 * The invocations of this instance: waiting for a slot, running, or ended with an unconfirmed result.
 *
 * Shape:  invocation id -> invocation. Each runs once and is answered once per delivery, even across reconnects.
 * Source: docs/protocol.md section 6, "Results".
 */
import type { FrameConnection } from '../protocol/connections';
import { SvcError, type SvcErrorCode } from '../protocol/errors';
import { type CancelParams, FRAME_ERRORS, type InvokeParams, METHODS } from '../protocol/frames';
import type { Payment, Progress } from '../protocol/http';
import { readFrameConnection } from './action-connection';
import type { Action } from './action-definition';
import { ActionError } from './action-error';
import { GenerationalCache } from './generational-cache';
import { Invocation, type InvocationPort } from './invocation';
import type { Middleware } from './options';
import { plainErrorOutcome, runAction, tooLargeOutcome, unknownOutcome } from './run-action';
import type { Answer } from './service-connection';
import type { CallWarning } from './status';

/** Minimum of kept ids of released invocations, so that a late second delivery does not run again. */
const REMEMBERED_IDS = 10_000;
/** Minimum of kept characters of their outcomes, which answer a late second delivery. */
const REMEMBERED_CHARS = 512 * 1024;
/** Overhead of an entry. */
const ENTRY_CHARS = 100;
/** Above these limits, sent results should be confirmed soon, so that they are released. */
const MANY_SENT = 256;
const MUCH_SENT_CHARS = 1024 * 1024;
/** A smaller result is not the reason why the service closed the connection. */
const MIN_TOO_LARGE_CHARS = 64 * 1024;
const MAX_PROGRESS_MESSAGE_CHARS = 1_000;
const NOT_STARTED = {
  INVOCATION_TIMEOUT: 'its deadline passed',
  INVOCATION_CANCELLED: 'the caller cancelled',
  TOOLKIT_STOPPED: 'the toolkit stopped',
};

/** Sends to the service. */
export interface InvocationsPort {
  /** Does nothing without a socket. */
  send(frame: string): void;
  /** `settle` gets `lost` at once without a socket. */
  request(method: string, paramsJson: string, settle: (answer: Answer) => void): void;
  /** A mistake of this toolkit in a call. */
  warn(warning: CallWarning): void;
  /** An invocation has ended, or its result was released. */
  changed(): void;
}

export interface InvocationsOptions {
  concurrency: number;
  details: { readonly asksForConnections: boolean };
  actions: ReadonlyMap<string, Action>;
  middleware?: Middleware | undefined;
}

export class Invocations {
  readonly #port: InvocationsPort;
  readonly #concurrency: number;
  readonly #actions: ReadonlyMap<string, Action>;
  readonly #details: InvocationsOptions['details'];
  readonly #middleware: Middleware | undefined;
  readonly #known = new Map<string, Invocation>();
  readonly #waiting = new Set<Invocation>();
  readonly #endedIds = new GenerationalCache<true>(REMEMBERED_IDS);
  readonly #endedOutcomes = new GenerationalCache<string>(REMEMBERED_CHARS);
  #running = 0;
  #sent: Invocation[] = [];
  #sentChars = 0;

  constructor({ concurrency, actions, details, middleware }: InvocationsOptions, port: InvocationsPort) {
    this.#concurrency = concurrency;
    this.#actions = actions;
    this.#details = details;
    this.#middleware = middleware;
    this.#port = port;
  }

  /** An awaited invocation has not ended. */
  get busy(): boolean {
    return this.#some((invocation) => invocation.outcome === undefined);
  }

  /** A result is awaited and not yet confirmed. */
  get hasUndelivered(): boolean {
    return this.#some(() => true);
  }

  /** Answers were sent since the last heartbeat. */
  get unconfirmed(): boolean {
    return this.#sent.length > 0;
  }

  get muchUnconfirmed(): boolean {
    return this.#sent.length > MANY_SENT || this.#sentChars > MUCH_SENT_CHARS;
  }

  /** The list for `register`. */
  unfinished(): string[] {
    return [...this.#known.keys()];
  }

  invoke(id: string, params: unknown): void {
    const known = this.#known.get(id);
    const call = readCall(id, params);
    const action = call && this.#actions.get(call.action);
    // A second delivery of a running or waiting invocation: a single answer serves both.
    if (known) this.#deliverAs(known, 'answer');
    else if (this.#endedIds.get(id))
      this.#port.send(
        answerFrame(id, this.#endedOutcomes.get(id) ?? unknownOutcome(`${id} ran already, and its result was delivered and released`)),
      );
    else if (!call) this.#refuse(id, 'INVALID_REQUEST', 'invoke needs {action, payload, agentId, timeoutMs}', FRAME_ERRORS.invalidParams);
    else if (!action) this.#refuse(id, 'ACTION_NOT_FOUND', `This process has no action "${call.action}"`);
    else if (action.needsConnection && this.#details.asksForConnections && !call.connection)
      this.#refuse(id, 'CONNECTION_REQUIRED', `"${call.action}" needs a connection, and the call has none that this toolkit understands`);
    else this.#admit(new Invocation(id, action, call, this.#invocationPort));
  }

  cancel(params: unknown): void {
    const { invocationId: id, reason } = (params ?? {}) as Partial<CancelParams>;
    const invocation = this.#known.get(id as string);
    if (!invocation || invocation.outcome !== undefined) return;
    const timedOut = reason === 'timeout';
    if (this.#waiting.delete(invocation)) this.#endUnstarted(invocation, timedOut ? 'INVOCATION_TIMEOUT' : 'INVOCATION_CANCELLED');
    else if (timedOut) invocation.abort('TimeoutError', `The deadline of ${id} has passed`);
    else invocation.abort('AbortError', `The caller cancelled ${id}`);
  }

  /** The connection is lost: sent results may not have arrived. */
  suspend(): void {
    this.takeSent();
    for (const invocation of this.#known.values()) if (invocation.delivery !== 'nothing') invocation.delivery = 'unclear';
  }

  /** Runs on a new connection: delivers awaited results and releases all others. */
  resume(awaiting: readonly string[]): void {
    const awaited = new Set(awaiting);
    for (const invocation of [...this.#known.values()]) {
      if (awaited.has(invocation.id)) this.#deliverAs(invocation, 'result');
      else if (invocation.delivery !== 'answer') this.#abandon(invocation);
    }
  }

  /** Returns the invocations answered on this connection since the last call. */
  takeSent(): Invocation[] {
    const sent = this.#sent;
    this.#sent = [];
    this.#sentChars = 0;
    return sent;
  }

  /** Releases invocations whose answers have arrived. */
  confirm(sent: readonly Invocation[]): void {
    for (const invocation of sent) this.#forget(invocation);
    this.#port.changed();
  }

  /**
   * Replaces the largest result by an error, after the service closed the connection because of a frame's size: sending the result again
   * would close the next connection too.
   */
  replaceLargest(): void {
    let largest: Invocation | undefined;
    for (const invocation of this.#known.values()) if (sizeOf(invocation) > sizeOf(largest)) largest = invocation;
    if (largest && sizeOf(largest) > MIN_TOO_LARGE_CHARS) largest.end(tooLargeOutcome(sizeOf(largest)));
  }

  abortAll(message: string): void {
    for (const invocation of this.#known.values()) invocation.abort('AbortError', message);
  }

  /** Answers for handlers that do not end, with an unknown outcome. */
  giveUp(): void {
    // Waiting invocations first: giving up a running one would start the next waiting one.
    for (const invocation of this.#waiting) {
      this.#waiting.delete(invocation);
      this.#endUnstarted(invocation, 'TOOLKIT_STOPPED');
    }
    for (const invocation of [...this.#known.values()]) {
      this.#endRun(invocation, unknownOutcome(`The toolkit stopped before the handler of ${invocation.id} ended`));
    }
  }

  #some(test: (invocation: Invocation) => boolean): boolean {
    for (const invocation of this.#known.values()) if (invocation.delivery !== 'nothing' && test(invocation)) return true;
    return false;
  }

  #admit(invocation: Invocation): void {
    this.#known.set(invocation.id, invocation);
    this.#waiting.add(invocation);
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (const invocation of this.#waiting) {
      if (this.#running >= this.#concurrency) return;
      this.#waiting.delete(invocation);
      if (Date.now() < invocation.deadline) void this.#run(invocation);
      else this.#endUnstarted(invocation, 'INVOCATION_TIMEOUT');
    }
  }

  async #run(invocation: Invocation): Promise<void> {
    this.#running++;
    this.#endRun(invocation, await runAction(invocation, this.#middleware));
  }

  #endRun(invocation: Invocation, outcome: string): void {
    // Given up before, so the slot is free already.
    if (invocation.outcome !== undefined) return;
    this.#running--;
    this.#end(invocation, outcome);
    this.#startWaiting();
  }

  #endUnstarted(invocation: Invocation, code: keyof typeof NOT_STARTED): void {
    this.#end(invocation, plainErrorOutcome(code, `${invocation.id} was not started: ${NOT_STARTED[code]}`));
  }

  #end(invocation: Invocation, outcome: string): void {
    invocation.end(outcome);
    this.#deliver(invocation);
    this.#port.changed();
  }

  #deliverAs(invocation: Invocation, delivery: 'answer' | 'result'): void {
    invocation.delivery = delivery;
    if (invocation.outcome !== undefined) this.#deliver(invocation);
  }

  #deliver(invocation: Invocation): void {
    if (invocation.delivery === 'answer') this.#answer(invocation);
    else if (invocation.delivery === 'result') this.#requestResult(invocation);
    else if (invocation.delivery === 'nothing') this.#forget(invocation);
  }

  #answer(invocation: Invocation): void {
    const frame = answerFrame(invocation.id, `${invocation.outcome}`);
    this.#sent.push(invocation);
    this.#sentChars += frame.length;
    this.#port.send(frame);
  }

  #requestResult(invocation: Invocation): void {
    const paramsJson = `{"invocationId":${JSON.stringify(invocation.id)},${invocation.outcome}}`;
    this.#port.request(METHODS.result, paramsJson, (answer) => {
      // A refusal confirms too: the result arrived and is not awaited.
      if (answer.kind === 'lost') return;
      this.#forget(invocation);
      this.#port.changed();
    });
  }

  #abandon(invocation: Invocation): void {
    invocation.delivery = 'nothing';
    if (invocation.outcome !== undefined) this.#forget(invocation);
    // The invocation never ran, so a second delivery may run.
    else if (this.#waiting.delete(invocation)) this.#known.delete(invocation.id);
    else invocation.abort('AbortError', `No caller waits for ${invocation.id}`);
  }

  #forget({ id, outcome = '' }: Invocation): void {
    this.#known.delete(id);
    this.#endedIds.add(id, true, 1);
    if (outcome.length < REMEMBERED_CHARS) this.#endedOutcomes.add(id, outcome, outcome.length + ENTRY_CHARS);
  }

  #refuse(id: string, reason: SvcErrorCode, message: string, code?: number): void {
    this.#port.send(answerFrame(id, plainErrorOutcome(reason, message, code)));
  }

  readonly #invocationPort: InvocationPort = {
    sendProgress: (invocation, report) => this.#sendProgress(invocation, report),
    renewConnection: ({ id }) => this.#renewConnection(id),
  };

  /** @param report unchecked: programs in JavaScript write `ctx.progress(1, { total: 5 })` */
  #sendProgress(invocation: Invocation, report: Partial<Progress> | null | undefined): void {
    if (invocation.delivery === 'nothing') return;
    const { progress, total, message } = report ?? {};
    if (!Number.isFinite(progress)) {
      const message = 'A report of progress was dropped: give an object with a number, such as ctx.progress({ progress: 1, total: 5 })';
      return this.#port.warn({ invocationId: invocation.id, message });
    }
    const params = {
      invocationId: invocation.id,
      progress,
      ...(Number.isFinite(total) ? { total } : {}),
      ...(message === undefined ? {} : { message: String(message).slice(0, MAX_PROGRESS_MESSAGE_CHARS) }),
    };
    this.#port.send(JSON.stringify({ jsonrpc: '2.0', method: METHODS.progress, params }));
  }

  #renewConnection(id: string): Promise<FrameConnection> {
    return new Promise((resolve, reject) => {
      this.#port.request(METHODS.connection, JSON.stringify({ invocationId: id }), (answer) => {
        const renewed =
          answer.kind === 'result' ? readFrameConnection((answer.result as { connection?: unknown } | null)?.connection) : undefined;
        if (renewed) resolve(renewed);
        else reject(renewalError(id, answer));
      });
    });
  }
}

function renewalError(id: string, answer: Answer): Error {
  if (answer.kind === 'lost') return new SvcError('CONNECTION_CLOSED', `The socket closed before ${id} got another connection`);
  if (answer.kind === 'refused' && answer.error.code !== 'CONNECTION_REQUIRED') return answer.error;
  const why = answer.kind === 'refused' ? answer.error.message : 'this toolkit does not understand the one that it got';
  return new ActionError('CONNECTION_REQUIRED', `The API refused the connection, and there is no other: ${why}`);
}

/** Members in this order let the service pass on the result's text unchanged. */
function answerFrame(id: string, outcome: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`;
}

function sizeOf(invocation: Invocation | undefined): number {
  return invocation?.outcome?.length ?? 0;
}

function readCall(id: string, params: unknown): InvokeParams | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const { action, payload, agentId, timeoutMs, idempotencyKey, attempt, payment, userId, traceparent, tracestate, ...rest } =
    params as Partial<InvokeParams>;
  const isGood = typeof action === 'string' && typeof agentId === 'string' && typeof timeoutMs === 'number' && Number.isFinite(timeoutMs);
  if (!isGood) return undefined;
  // Older services send neither `idempotencyKey` nor `attempt`.
  const key = typeof idempotencyKey === 'string' && idempotencyKey ? idempotencyKey : id;
  const connection = readFrameConnection(rest.connection);
  const call: InvokeParams = {
    action,
    payload,
    agentId,
    timeoutMs,
    idempotencyKey: key,
    attempt: Number.isInteger(attempt) ? (attempt as number) : 1,
    ...(isPayment(payment) && { payment }),
    ...(typeof userId === 'string' && { userId }),
    ...(connection && { connection }),
  };
  if (typeof traceparent !== 'string') return call;
  return typeof tracestate === 'string' ? { ...call, traceparent, tracestate } : { ...call, traceparent };
}

function isPayment(value: Payment | undefined): value is Payment {
  return typeof value?.amount === 'string' && typeof value.currency === 'string';
}

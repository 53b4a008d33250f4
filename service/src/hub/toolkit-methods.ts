/**
 * The methods of a registered toolkit connection, and the answers to `invoke`. docs/protocol.md section 6.
 *
 * Errors: INVALID_REQUEST before `register` and for params that do not fit the method; `MethodNotFound` for any other method.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { SvcError } from '#sdk/protocol/errors';
import { type FrameError, METHODS, type ResultAnswer } from '#sdk/protocol/frames';
import { readableText } from '#sdk/protocol/invisible-text';
import type { Limits } from '#sdk/protocol/limits';
import { connectionParams, progressParams, resultParams } from '#sdk/protocol/schemas';
import type { CallConnection } from '../lib/call-connection';
import { parseOrThrow } from '../lib/parse';
import type { AnsweredResult, Attempt, ResultText } from './attempt';
import { attemptOutcome, MAX_REPORTED_CHARS } from './attempt-outcome';
import type { InstanceLifecycle } from './instance-lifecycle';
import { readResult } from './parse-frame';
import { readCharge } from './read-charge';
import { answerWithoutSecrets, progressWithoutSecrets } from './redact-answer';
import type { Registrations } from './registrations';
import type { Replica } from './replica';
import type { ReplicaDirectory } from './replica-directory';
import { type Answered, MethodNotFound, type ToolkitConnection, type ToolkitConnectionHandler } from './toolkit-connection';
import type { ToolkitSockets } from './toolkit-sockets';

/** The part of the store that makes outcomes durable. */
export interface OutcomeStore {
  /** Resolves when every outcome that was recorded before is durable. */
  settled(): Promise<void>;
}

/** Renews kept connections. Rejects with CONNECTION_REQUIRED when the account must be connected again. */
export type RenewConnection = (id: string, refused: CallConnection) => Promise<CallConnection>;

export interface ToolkitMethodsDeps {
  registrations: Registrations;
  directory: ReplicaDirectory;
  sockets: ToolkitSockets;
  instances: InstanceLifecycle;
  outcomes: OutcomeStore;
  renewConnection: RenewConnection;
  limits: Pick<Limits, 'resultBytes'>;
}

export class ToolkitMethods implements ToolkitConnectionHandler {
  readonly #registrations: Registrations;
  readonly #directory: ReplicaDirectory;
  readonly #sockets: ToolkitSockets;
  readonly #instances: InstanceLifecycle;
  readonly #outcomes: OutcomeStore;
  readonly #renewConnection: RenewConnection;
  readonly #maxResultBytes: number;
  #drains = 0;

  constructor({ registrations, directory, sockets, instances, outcomes, renewConnection, limits }: ToolkitMethodsDeps) {
    this.#registrations = registrations;
    this.#directory = directory;
    this.#sockets = sockets;
    this.#instances = instances;
    this.#outcomes = outcomes;
    this.#renewConnection = renewConnection;
    this.#maxResultBytes = limits.resultBytes;
  }

  /** Number of `drain` requests since the start. */
  get drains(): number {
    return this.#drains;
  }

  /** An answer that confirms results is sent after they are durable, since the toolkit then deletes them. */
  async request(connection: ToolkitConnection, method: string, params: unknown): Promise<Answered> {
    if (method === METHODS.register) return this.#registrations.register(connection, params);
    if (method === METHODS.actions) return this.#registrations.addActions(connection, params);
    const replica = this.#sockets.replicaOf(connection);
    if (!replica) throw new SvcError('INVALID_REQUEST', `Send "register" before "${method}"`);
    switch (method) {
      case METHODS.heartbeat:
        await this.#durable();
        return { result: {} };
      case METHODS.update:
        return this.#registrations.update(connection, params);
      case METHODS.drain:
        return this.#drain(replica);
      case METHODS.connection:
        return this.#renew(replica, params);
      case METHODS.result: {
        const result = this.#lateResult(replica, params);
        await this.#durable();
        return { result };
      }
      default:
        throw new MethodNotFound();
    }
  }

  notification(connection: ToolkitConnection, method: string, params: unknown): void {
    if (method !== METHODS.progress) return;
    const report = progressParams.safeParse(params);
    if (!report.success) return;
    const { invocationId, ...progress } = report.data;
    if (progress.message !== undefined) progress.message = readableText(progress.message.slice(0, MAX_REPORTED_CHARS));
    const attempt = this.#sockets.replicaOf(connection)?.running.get(invocationId);
    attempt?.onProgress?.(progressWithoutSecrets(progress, attempt.request.used));
  }

  answer(connection: ToolkitConnection, invocationId: string, answer: AnsweredResult | { error: FrameError }): void {
    const replica = this.#sockets.replicaOf(connection);
    if (replica) this.#settle(replica, invocationId, answer);
  }

  awaits(connection: ToolkitConnection, invocationId: string): boolean {
    return this.#sockets.replicaOf(connection)?.running.has(invocationId) === true;
  }

  closed(connection: ToolkitConnection): void {
    const replica = this.#sockets.remove(connection);
    // A newer connection of the same instance may have replaced this one.
    if (replica?.connection === connection) this.#instances.disconnected(replica, connection.wasReset);
  }

  #drain(replica: Replica): Answered {
    replica.draining = true;
    this.#drains++;
    this.#directory.of(replica.toolkitId).pump();
    this.#directory.changed(replica.toolkitId);
    return { result: {} };
  }

  /** Another connection for a running call, whose API refused the one that it has. */
  async #renew(replica: Replica, params: unknown): Promise<Answered> {
    const { invocationId } = parseOrThrow(connectionParams, params, 'connection');
    const attempt = replica.running.get(invocationId);
    const used = attempt?.request.used;
    if (!attempt || !used) throw new SvcError('INVALID_REQUEST', `Not a running call with a connection: ${invocationId}`);
    if (used.id === undefined)
      throw new SvcError('CONNECTION_REQUIRED', 'The API refused the credential of the caller, who has to send another one');
    const connection = used.connection.renewed(await this.#renewConnection(used.id, used.connection));
    attempt.request.used = { ...used, connection };
    return { result: { connection: JSON.parse(connection.frameJson) } };
  }

  #lateResult(replica: Replica, params: unknown): ResultAnswer {
    const { invocationId, error, ...result } = parseOrThrow(resultParams, params, 'result');
    return { accepted: this.#settle(replica, invocationId, error ? { error } : readResult(result)) };
  }

  /** False when no call waits for the invocation. */
  #settle(replica: Replica, invocationId: string, answer: AnsweredResult | { error: FrameError }): boolean {
    const attempt = replica.running.get(invocationId);
    if (!attempt) return false;
    replica.running.delete(invocationId);
    const outcome = attemptOutcome(answerWithoutSecrets(answer, attempt.request.used), invocationId, this.#maxResultBytes);
    if (!('gone' in outcome)) attempt.request.used = undefined;
    attempt.settle('resultJson' in outcome ? withCharge(outcome, attempt, replica) : outcome);
    this.#directory.of(replica.toolkitId).pump();
    return true;
  }

  /** Waits for the end of the turn first: a call stores its outcome within the turn in which it arrives. */
  async #durable(): Promise<void> {
    await endOfTurn();
    await this.#outcomes.settled();
  }
}

/** Adds the charge of a paid call to its result. Warns the toolkit of a charge that was changed or refused. */
function withCharge(answered: AnsweredResult, { request }: Attempt, replica: Replica): ResultText {
  const { resultJson, contentJson, metaJson, payment } = answered;
  if (payment === undefined && !request.payment) return answered;
  const { charged, warning } = readCharge(payment, request.payment);
  if (warning) replica.warn({ invocationId: request.id, message: warning });
  const result: ResultText = { resultJson };
  if (contentJson !== undefined) result.contentJson = contentJson;
  if (metaJson !== undefined) result.metaJson = metaJson;
  if (charged !== undefined) result.charged = charged;
  return result;
}

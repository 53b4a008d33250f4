/**
 * One instance of a toolkit: the actions that it offers and the attempts that it runs. A replica outlives its connection, so that results
 * can arrive after a reconnect.
 */
import { METHODS, type RegisterParams, type WarningParams } from '#sdk/protocol/frames';
import { versionOf } from '../catalog/action-version';
import { ChurnMap } from '../lib/churn-map';
import type { ActionRecord } from '../store/store';
import type { Attempt } from './attempt';
import type { ToolkitConnection } from './toolkit-connection';

/** A connected process of a toolkit. */
export interface ReplicaDescription {
  toolkitId: string;
  /** The id of the toolkit key of its socket. */
  keyId: string;
  instance: string;
  sdk: string;
  /** Milliseconds since the epoch. */
  connectedAt: number;
  running: number;
  concurrency: number;
}

export class Replica {
  readonly toolkitId: string;
  readonly instance: string;
  /** Invocations that were sent and have no outcome yet. */
  readonly running = new ChurnMap<string, Attempt>();
  /** Undefined while the instance is disconnected. */
  connection: ToolkitConnection | undefined;
  /** The actions that this instance registered, by name. Another replica may have registered other versions. */
  actions: ReadonlyMap<string, ActionRecord> = new Map();
  draining = false;
  /** The number of its last registered connection, from 1. Undefined for an SDK that does not count. */
  connectionNumber: number | undefined;
  /** The number of the instance's registered connections before its last. Undefined for an SDK that does not count. */
  #registeredBefore: number | undefined;
  /** Slots of calls that will be sent next. */
  reserved = 0;
  #sdk = '';
  #connectedAt = 0;
  #concurrency = 1;

  constructor(toolkitId: string, instance: string) {
    this.toolkitId = toolkitId;
    this.instance = instance;
  }

  attach(
    connection: ToolkitConnection,
    registration: Pick<RegisterParams, 'sdk' | 'concurrency' | 'connection' | 'registered'>,
    actions: ReadonlyMap<string, ActionRecord>,
  ): void {
    if (connection !== this.connection) this.#connectedAt = Date.now();
    this.connection = connection;
    this.actions = actions;
    this.draining = false;
    this.connectionNumber = registration.connection;
    this.#registeredBefore = registration.registered;
    this.#sdk = registration.sdk;
    this.#concurrency = registration.concurrency;
  }

  /** The process as the console shows it; undefined while the instance is disconnected. */
  get description(): ReplicaDescription | undefined {
    const { toolkitId, instance, connection } = this;
    if (!connection) return undefined;
    const { keyId } = connection;
    return {
      toolkitId,
      keyId,
      instance,
      sdk: this.#sdk,
      connectedAt: this.#connectedAt,
      running: this.running.size,
      concurrency: this.#concurrency,
    };
  }

  /**
   * True if the instance registered at no other node since its last registration here. An invocation that it does not list then never
   * reached it.
   */
  hasStayedHere({ registered }: Pick<RegisterParams, 'registered'>): boolean {
    return registered === undefined || this.#registeredBefore === undefined || registered <= this.#registeredBefore + 1;
  }

  /** The used share of the concurrency: 0 is idle, 1 is full. */
  get load(): number {
    return (this.running.size + this.reserved) / this.#concurrency;
  }

  get isReady(): boolean {
    return this.connection?.isOpen === true && !this.draining;
  }

  /** @param version default: any */
  offers(actionName: string, version?: string): boolean {
    if (!this.isReady) return false;
    const action = this.actions.get(actionName);
    return action !== undefined && (version === undefined || version === versionOf(action));
  }

  send(sent: Attempt): void {
    const { id, actionName, agentId, idempotencyKey, attempt, payment, used, traceparent, tracestate, deadline, payloadJson } =
      sent.request;
    this.running.set(id, sent);
    const timeoutMs = Math.max(1, deadline - Date.now());
    // Ids and action names need no escapes.
    const call = `"action":"${actionName}","agentId":"${agentId}","timeoutMs":${timeoutMs},"attempt":${attempt}`;
    const texts = `${member('idempotencyKey', idempotencyKey)}${member('userId', this.connection?.userOf(sent.request))}${member('traceparent', traceparent)}${member('tracestate', tracestate)}`;
    const connection = used ? `,"connection":${used.connection.frameJson}` : '';
    const hold = payment ? `,"payment":${JSON.stringify(payment)}` : '';
    this.connection?.send(
      `{"jsonrpc":"2.0","id":"${id}","method":"${METHODS.invoke}","params":{${call}${texts}${hold}${connection},"payload":${payloadJson}}}`,
    );
  }

  /** Warns the developer of the toolkit. The warning is lost while the instance is disconnected. */
  warn(warning: WarningParams): void {
    this.connection?.notify(METHODS.warning, warning);
  }

  sendCancel(attempt: Attempt): void {
    if (!attempt.cancelled) return;
    this.connection?.notify(METHODS.cancel, { invocationId: attempt.id, reason: attempt.cancelled });
  }
}

function member(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${JSON.stringify(text)}`;
}

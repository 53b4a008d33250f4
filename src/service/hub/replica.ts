/**
 * One instance of a toolkit: what it offers, what it runs. It outlives its connection, so that results can come after a reconnect.
 */
import { METHODS, type RegisterParams, type WarningParams } from '../../protocol/frames';
import { versionOf } from '../catalog/action-version';
import { ChurnMap } from '../lib/churn-map';
import type { ActionRecord } from '../store/store';
import type { Attempt } from './attempt';
import type { ToolkitConnection } from './toolkit-connection';

/** A process of a toolkit that is connected. */
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
  /** Invocations that were sent and have no outcome. */
  readonly running = new ChurnMap<string, Attempt>();
  /** Undefined while the instance is away. */
  connection: ToolkitConnection | undefined;
  /** The actions that it registered, by name. Another replica may have registered them otherwise. */
  actions: ReadonlyMap<string, ActionRecord> = new Map();
  draining = false;
  /** The number of its last registered connection, from 1. Undefined for an SDK that does not count. */
  connectionNumber: number | undefined;
  /** The number of its registered connections before that one. Likewise. */
  #registeredBefore: number | undefined;
  /** Places given to calls that are about to be sent. */
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

  /** The address for people; undefined while the instance is away. */
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

  /** Whether no other node has had the instance between its last registration here and this one: then what it does not list has never reached it. */
  hasStayedHere({ registered }: Pick<RegisterParams, 'registered'>): boolean {
    return registered === undefined || this.#registeredBefore === undefined || registered <= this.#registeredBefore + 1;
  }

  /** 0 is idle, 1 is full. */
  get load(): number {
    return (this.running.size + this.reserved) / this.#concurrency;
  }

  /** Takes calls now. */
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
    const { id, actionName, agentId, idempotencyKey, attempt, payment, traceparent, tracestate, deadline, payloadJson } = sent.request;
    this.running.set(id, sent);
    const timeoutMs = Math.max(1, deadline - Date.now());
    // Ids and action names need no escapes.
    const call = `"action":"${actionName}","agentId":"${agentId}","timeoutMs":${timeoutMs},"attempt":${attempt}`;
    const texts = `${member('idempotencyKey', idempotencyKey)}${member('userId', this.connection?.userOf(sent.request))}${member('traceparent', traceparent)}${member('tracestate', tracestate)}`;
    const hold = payment ? `,"payment":${JSON.stringify(payment)}` : '';
    this.connection?.send(
      `{"jsonrpc":"2.0","id":"${id}","method":"${METHODS.invoke}","params":{${call}${texts}${hold},"payload":${payloadJson}}}`,
    );
  }

  /** Warns the developer of the toolkit. The warning is lost while the instance is away. */
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

/**
 * The socket side of the service: who is connected, who offers what, and the way of an invocation to a handler and back.
 *
 * Shape:  toolkit id -> its replicas. An instance that lost its connection keeps its running invocations for `reconnectGraceMs`.
 * Errors: an invocation whose process does not come back settles as gone: whoever runs it decides what that means.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { SvcError } from '../../protocol/errors';
import {
  CLOSE_CODES,
  FRAME_ERRORS,
  type FrameError,
  METHODS,
  PROTOCOL_VERSION,
  type RegisterResult,
  type RejectedAction,
  type ResultAnswer,
} from '../../protocol/frames';
import { parseActionId, RESERVED_TOOLKIT_ID } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import type { LintFinding } from '../../protocol/lint';
import { progressParams, registerParams, resultParams, updateParams } from '../../protocol/schemas';
import { toldFindings } from '../catalog/lint';
import { EventLoopBudget } from '../lib/event-loop-budget';
import { parseOrThrow } from '../lib/parse';
import type { ToolkitRecord } from '../store/store';
import type { Attempt, AttemptOutcome, ResultText } from './attempt';
import { type Answered, type Connection, type ConnectionHandler, MethodNotFound } from './connection';
import { contentTooLarge } from './content-too-large';
import { handlerError } from './handler-error';
import { OrphanedAttempts } from './orphaned-attempts';
import { readResult } from './parse-frame';
import { Replica, type ReplicaDescription } from './replica';
import { Sockets } from './sockets';
import { type Slot, ToolkitReplicas, type Waiter } from './toolkit-replicas';

/** What the hub needs of the catalogue. */
export interface Registry {
  /** Keeps the toolkit's details and actions. `offeredElsewhere` tells which other actions of the toolkit must stay. */
  register(
    toolkitId: string,
    registration: { toolkit?: { name?: string; description?: string }; actions: unknown[] },
    offeredElsewhere: (actionName: string) => boolean,
  ): Promise<{ toolkit: ToolkitRecord; accepted: string[]; rejected: RejectedAction[]; findings: LintFinding[] }>;
  updateToolkit(toolkitId: string, details: { name?: string; description?: string }): Promise<ToolkitRecord>;
}

/** What came of a toolkit's registration. */
export interface ToolkitRegistration {
  toolkit: { id: string; name: string; description: string };
  /** Action ids. */
  accepted: string[];
  rejected: RejectedAction[];
  /** Of all its actions, also of those that only other replicas serve. */
  findings: LintFinding[];
}

export interface HubActivity {
  sockets: number;
  onlineToolkits: number;
  /** Invocations that were sent and have no outcome. */
  running: number;
  /** Calls that wait for a free replica. */
  queued: number;
  /** How often an instance asked for no new invocations, since the start. */
  drains: number;
}

export type RegistrationListener = (registration: ToolkitRegistration) => void;

export interface RegisteredInstance {
  toolkitId: string;
  instance: string;
  unfinished: string[];
  /** See `RegisterParams`. */
  connection?: number | undefined;
  registered?: number | undefined;
}

/** What the hub needs to know, and tells, beyond its own sockets. */
export interface HubSurroundings {
  /** Whether another node offers the action. */
  offeredElsewhere(toolkitId: string, actionName: string): boolean;
  /** What this node offers of the toolkit has changed. */
  changed(toolkitId: string): void;
  /** An instance has registered here; it has these invocations, and nothing else that was ever sent to it. */
  registered(registered: RegisteredInstance): void;
  /** Of invocations that an instance brings along and the hub does not know: those whose outcome is still of use. */
  returned(toolkitId: string, ids: readonly string[]): Promise<Attempt[]>;
  /** Running calls of the toolkit at other nodes. */
  runningElsewhere(toolkitId: string): number;
  /** Sockets of the key at other nodes. */
  socketsElsewhere(keyId: string): number;
  /** Resolves when every outcome that was recorded before is durable. */
  settled(): Promise<void>;
}

export interface HubDeps {
  registry: Registry;
  limits: Limits;
  surroundings: HubSurroundings;
  onRegistration: RegistrationListener;
}

/** Invocations that one registration may bring along: asking for each costs a question to the store. */
const MAX_RETURNED = 5_000;

export class Hub implements ConnectionHandler {
  readonly #registry: Registry;
  readonly #limits: Limits;
  readonly #surroundings: HubSurroundings;
  readonly #onRegistration: RegistrationListener;
  readonly #toolkits = new Map<string, ToolkitReplicas>();
  readonly #sockets = new Sockets();
  readonly #adopted = new OrphanedAttempts();
  readonly #graceTimers = new Map<Replica, NodeJS.Timeout>();
  #drains = 0;
  #admits = true;
  readonly #registrations = new EventLoopBudget();
  #stopping = false;

  constructor({ registry, limits, surroundings, onRegistration }: HubDeps) {
    this.#registry = registry;
    this.#limits = limits;
    this.#surroundings = surroundings;
    this.#onRegistration = onRegistration;
  }

  isOnline(actionId: string): boolean {
    const id = parseActionId(actionId);
    return id !== undefined && (this.#toolkits.get(id.toolkitId)?.offers(id.actionName) ?? false);
  }

  replicas(toolkitId: string): number {
    return this.#toolkits.get(toolkitId)?.online ?? 0;
  }

  /** At all nodes. */
  sockets(keyId: string): number {
    return (this.#sockets.byKey.get(keyId) ?? 0) + this.#surroundings.socketsElsewhere(keyId);
  }

  /** At this node, by key. */
  get socketsByKey(): ReadonlyMap<string, number> {
    return this.#sockets.byKey;
  }

  /** What this node offers of a toolkit. */
  offer(toolkitId: string): { replicas: number; actions: string[] } {
    return this.#toolkits.get(toolkitId)?.offer() ?? { replicas: 0, actions: [] };
  }

  /** Toolkits that something is connected of, or was. */
  toolkitIds(): Iterable<string> {
    return this.#toolkits.keys();
  }

  /** Running calls at this node, by toolkit. */
  *runningByToolkit(): Iterable<[toolkitId: string, running: number]> {
    for (const [toolkitId, { inFlight }] of this.#toolkits) if (inFlight > 0) yield [toolkitId, inFlight];
  }

  /** How much is going on now. */
  activity(): HubActivity {
    const activity = { sockets: this.#sockets.size, onlineToolkits: 0, running: 0, queued: 0, drains: this.#drains };
    for (const { online, running, queued } of this.#toolkits.values()) {
      if (online > 0) activity.onlineToolkits++;
      activity.running += running;
      activity.queued += queued;
    }
    return activity;
  }

  /** How much goes on at this node, of these toolkits or of all. */
  load(toolkitIds?: Iterable<string>): { running: number; queued: number } {
    const load = { running: 0, queued: 0 };
    for (const id of toolkitIds ?? this.#toolkits.keys()) {
      const { running, queued } = this.#toolkits.get(id) ?? { running: 0, queued: 0 };
      load.running += running;
      load.queued += queued;
    }
    return load;
  }

  /** The processes of these toolkits that are connected to this node. */
  processes(toolkitIds: Iterable<string>): ReplicaDescription[] {
    return Array.from(toolkitIds, (id) => [...(this.#toolkits.get(id)?.byInstance.values() ?? [])])
      .flat()
      .flatMap(({ description }) => (description ? [description] : []));
  }

  connected(connection: Connection): void {
    this.#sockets.add(connection);
  }

  /** True when `reserve` has a place at once. */
  isFree(toolkitId: string, actionName: string): boolean {
    return this.#replicasOf(toolkitId).isFree(actionName);
  }

  /** See `ToolkitReplicas.reserve`. */
  reserve(toolkitId: string, actionName: string, waiter: Waiter): Slot | Promise<Slot> {
    return this.#replicasOf(toolkitId).reserve(actionName, waiter);
  }

  /** There may be room under a limit that all nodes share. */
  pump(): void {
    for (const replicas of this.#toolkits.values()) replicas.pump();
  }

  cancel(invocation: Attempt, reason: 'cancelled' | 'timeout'): void {
    invocation.cancelled = reason;
    for (const replica of this.#replicasOf(invocation.request.toolkitId).byInstance.values()) {
      if (replica.running.has(invocation.id)) replica.sendCancel(invocation);
    }
  }

  /** Waits for the instance that still has what a former process of the service sent. */
  adopt(invocation: Attempt, graceMs: number): void {
    this.#adopted.add(invocation, graceMs);
  }

  /** An instance that was connected here is connected to another node now. */
  instanceMoved({ toolkitId, instance, unfinished: ids, connection: number = Infinity, registered }: RegisteredInstance): void {
    const replicas = this.#toolkits.get(toolkitId);
    const replica = replicas?.byInstance.get(instance);
    if (!replicas || !replica) return;
    // Word of a former connection, and late: the instance has been here since.
    if (number < (replica.connectionNumber ?? 0)) return;
    const unfinished = new Set(ids);
    const isNext = replica.isNext(registered === undefined ? {} : { registered });
    replicas.byInstance.delete(instance);
    this.#stopWaitingFor(replica);
    const { connection } = replica;
    replica.connection = undefined;
    connection?.close(CLOSE_CODES.replaced, 'this instance has connected to another node');
    for (const invocation of [...replica.running.values()]) {
      if (unfinished.has(invocation.id) || !isNext) invocation.settle({ gone: 'moved' });
      else if (invocation.request.payloadJson === null) invocation.settle({ gone: 'lost' });
      else if (invocation.cancelled) this.#dropUnsent(replica, invocation);
      else invocation.settle({ gone: 'unsent' });
    }
    replica.running.clear();
    this.#afterChange(replicas);
  }

  /** Closes the sockets of a key that was revoked, rotated or has expired. */
  refuseKey(keyId: string, reason: string): void {
    this.#sockets.close(CLOSE_CODES.keyRefused, reason, keyId);
  }

  /** Whether toolkits may connect. */
  get admits(): boolean {
    return this.#admits && !this.#stopping;
  }

  /** Those that are connected stay. */
  admitNobody(): void {
    this.#admits = false;
  }

  /** Asks every toolkit that is connected to move to another node within `withinMs`; an SDK that does not know how stays until `close`. */
  askToReconnect(withinMs: number): void {
    this.#sockets.askToReconnect(withinMs);
  }

  close(): void {
    this.#stopping = true;
    this.#adopted.close();
    for (const timer of this.#graceTimers.values()) clearTimeout(timer);
    this.#sockets.close(CLOSE_CODES.goingAway, 'the service is stopping');
  }

  /** What proves to a toolkit that its results arrived is answered when they are durable: it lets them go then. */
  async request(connection: Connection, method: string, params: unknown): Promise<Answered> {
    if (method === METHODS.register) return this.#registerInTurn(connection, params);
    const replica = this.#sockets.replicaOf(connection);
    if (!replica) throw new SvcError('INVALID_REQUEST', `Send "register" before "${method}"`);
    switch (method) {
      case METHODS.heartbeat:
        await this.#settled();
        return { result: {} };
      case METHODS.update:
        return this.#update(connection, params);
      case METHODS.drain:
        return this.#drain(replica);
      case METHODS.result: {
        const result = this.#lateResult(replica, params);
        await this.#settled();
        return { result };
      }
      default:
        throw new MethodNotFound();
    }
  }

  notification(connection: Connection, method: string, params: unknown): void {
    if (method !== METHODS.progress) return;
    const report = progressParams.safeParse(params);
    if (!report.success) return;
    const { invocationId, ...progress } = report.data;
    this.#sockets.replicaOf(connection)?.running.get(invocationId)?.onProgress?.(progress);
  }

  answer(connection: Connection, invocationId: string, answer: ResultText | { error: FrameError }): void {
    const replica = this.#sockets.replicaOf(connection);
    if (replica) this.#settle(replica, invocationId, answer);
  }

  closed(connection: Connection): void {
    const replica = this.#sockets.remove(connection);
    // A newer connection of the same instance may have taken over.
    if (replica?.connection !== connection) return;
    replica.connection = undefined;
    if (this.#stopping) return;
    const replicas = this.#replicasOf(replica.toolkitId);
    if (replica.running.size === 0) replicas.byInstance.delete(replica.instance);
    else
      this.#graceTimers.set(
        replica,
        setTimeout(() => this.#giveUp(replica), this.#limits.reconnectGraceMs),
      );
    this.#afterChange(replicas);
  }

  #registerInTurn(connection: Connection, params: unknown): Promise<Answered> {
    return this.#replicasOf(connection.toolkitId).registrations.run(async () => {
      await this.#registrations.enter();
      return this.#register(connection, params);
    });
  }

  async #register(connection: Connection, params: unknown): Promise<Answered> {
    const registration = parseOrThrow(registerParams, params, 'register');
    if (registration.protocol !== PROTOCOL_VERSION) {
      throw new SvcError(
        'INVALID_REQUEST',
        `This service speaks protocol ${PROTOCOL_VERSION}, not ${registration.protocol}; use a matching SDK`,
      );
    }
    const { toolkitId } = connection;
    if (toolkitId === RESERVED_TOOLKIT_ID)
      throw new SvcError(
        'INVALID_REQUEST',
        `The service keeps the toolkit id "${toolkitId}" for itself: make a key for a toolkit with another id`,
      );
    const { instance, unfinished, connection: number } = registration;
    const former = this.#sockets.replicaOf(connection)?.instance ?? instance;
    if (former !== instance)
      throw new SvcError('INVALID_REQUEST', `This connection is instance "${former}"; open another one for "${instance}"`);
    const replicas = this.#replicasOf(toolkitId);
    const { toolkit, accepted, rejected, findings } = await this.#registry.register(
      toolkitId,
      registration,
      (actionName) =>
        [...replicas.byInstance.values()].some((other) => other.instance !== instance && other.actions.has(actionName)) ||
        this.#surroundings.offeredElsewhere(toolkitId, actionName),
    );
    const returned = await this.#returned(toolkitId, replicas.byInstance.get(instance), unfinished);
    if (!this.#sockets.has(connection)) throw new SvcError('CONNECTION_CLOSED', 'The socket closed while it registered');
    const replica = replicas.byInstance.get(instance) ?? new Replica(toolkitId, instance);
    const again = replica.connection === connection;
    if (!again) replica.connection?.close(CLOSE_CODES.replaced, 'this instance connected again');
    this.#stopWaitingFor(replica);
    for (const invocation of returned) replica.running.set(invocation.id, invocation);
    replicas.byInstance.set(instance, replica);
    this.#sockets.registered(connection, replica);
    const isNext = replica.isNext(registration);
    replica.attach(connection, registration, new Set(accepted.map((id) => id.slice(toolkitId.length + 2))));
    connection.registered();

    const missing = again ? [] : this.#resume(replica, new Set(unfinished), isNext);
    if (!again) this.#surroundings.registered({ toolkitId, instance, unfinished, connection: number, registered: registration.registered });
    this.#surroundings.changed(toolkitId);
    const { id, name, description } = toolkit;
    this.#onRegistration({ toolkit: { id, name, description }, accepted, rejected, findings });
    const result: RegisterResult = {
      protocol: PROTOCOL_VERSION,
      toolkit: { id, name, description },
      accepted,
      rejected,
      ...toldFindings(findings),
      awaiting: unfinished.filter((id) => replica.running.has(id)),
      heartbeatMs: this.#limits.heartbeatMs,
    };
    return { result, afterwards: () => this.#afterRegistration(replica, connection, missing) };
  }

  /** Takes over adopted invocations that the instance has; gives those that were sent and never arrived. */
  #resume(replica: Replica, unfinished: ReadonlySet<string>, isNext: boolean): Attempt[] {
    for (const id of unfinished) {
      const adopted = this.#adopted.take(id, replica.toolkitId);
      if (adopted) replica.running.set(id, adopted);
    }
    const missing: Attempt[] = [];
    for (const invocation of [...replica.running.values()]) {
      if (unfinished.has(invocation.id) || invocation.request.payloadJson === null) continue;
      if (!isNext) {
        // Another node has had the instance since, and may have its answer.
        replica.running.delete(invocation.id);
        invocation.settle({ gone: 'moved' });
      } else if (invocation.cancelled) this.#dropUnsent(replica, invocation);
      else missing.push(invocation);
    }
    return missing;
  }

  /** What it has of other nodes, or of calls that were given up here. */
  async #returned(toolkitId: string, known: Replica | undefined, unfinished: readonly string[]): Promise<Attempt[]> {
    const unknown = unfinished.filter((id) => !known?.running.has(id) && !this.#adopted.has(id));
    return unknown.length === 0 ? [] : this.#surroundings.returned(toolkitId, unknown.slice(0, MAX_RETURNED));
  }

  #stopWaitingFor(replica: Replica): void {
    clearTimeout(this.#graceTimers.get(replica));
    this.#graceTimers.delete(replica);
  }

  /** A replica more, less or another: whoever waits may have a place now, or none for ever. */
  #afterChange(replicas: ToolkitReplicas): void {
    replicas.pump();
    this.#surroundings.changed(replicas.toolkitId);
  }

  /** An outcome that has just come is told to the store within this event-loop turn. */
  async #settled(): Promise<void> {
    await endOfTurn();
    await this.#surroundings.settled();
  }

  /** Nobody waits for it and it never arrived: it must not begin now. */
  #dropUnsent(replica: Replica, invocation: Attempt): void {
    replica.running.delete(invocation.id);
    const code = invocation.cancelled === 'timeout' ? 'INVOCATION_TIMEOUT' : 'INVOCATION_CANCELLED';
    const details = { invocationId: invocation.id };
    invocation.settle({ error: new SvcError(code, `${invocation.id} did not reach the toolkit before its caller left`, details) });
  }

  #afterRegistration(replica: Replica, connection: Connection, missing: Attempt[]): void {
    if (replica.connection !== connection) return;
    for (const invocation of missing) replica.send(invocation);
    for (const invocation of replica.running.values()) replica.sendCancel(invocation);
    this.#replicasOf(replica.toolkitId).pump();
  }

  async #update({ toolkitId }: Connection, params: unknown): Promise<Answered> {
    const { id, name, description } = await this.#registry.updateToolkit(toolkitId, parseOrThrow(updateParams, params, 'update'));
    return { result: { toolkit: { id, name, description } } };
  }

  #drain(replica: Replica): Answered {
    replica.draining = true;
    this.#drains++;
    this.#afterChange(this.#replicasOf(replica.toolkitId));
    return { result: {} };
  }

  #lateResult(replica: Replica, params: unknown): ResultAnswer {
    const { invocationId, result, error, content } = parseOrThrow(resultParams, params, 'result');
    const answer = error ? { error } : readResult(result, content);
    return { accepted: this.#settle(replica, invocationId, answer) };
  }

  #settle(replica: Replica, invocationId: string, answer: ResultText | { error: FrameError }): boolean {
    const invocation = replica.running.get(invocationId);
    if (!invocation) return false;
    replica.running.delete(invocationId);
    invocation.settle(this.#outcomeOf(answer, invocationId));
    this.#replicasOf(replica.toolkitId).pump();
    return true;
  }

  #outcomeOf(answer: ResultText | { error: FrameError }, invocationId: string): AttemptOutcome {
    const { resultBytes } = this.#limits;
    const error = 'error' in answer ? answer.error : contentTooLarge(answer, resultBytes);
    if (!error) return answer as ResultText;
    return error.code === FRAME_ERRORS.outcomeUnknown ? { gone: 'lost' } : { error: handlerError(error, invocationId, resultBytes) };
  }

  #giveUp(replica: Replica): void {
    this.#graceTimers.delete(replica);
    this.#replicasOf(replica.toolkitId).byInstance.delete(replica.instance);
    for (const invocation of replica.running.values()) invocation.settle({ gone: 'lost' });
    this.#replicasOf(replica.toolkitId).pump();
  }

  #replicasOf(toolkitId: string): ToolkitReplicas {
    let replicas = this.#toolkits.get(toolkitId);
    if (!replicas) {
      replicas = new ToolkitReplicas(toolkitId, this.#limits, () => this.#surroundings.runningElsewhere(toolkitId));
      this.#toolkits.set(toolkitId, replicas);
    }
    return replicas;
  }
}

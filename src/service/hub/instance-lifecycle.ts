/**
 * The life of an instance, and of the attempts that were sent to it: registered, away, back, moved to another node, or lost.
 *
 * Shape:  an instance that lost its connection keeps its attempts for `reconnectGraceMs`. After a reset, when the process is most likely there,
 *         attempts that may not be repeated stay for `takeoverGraceMs`: OUTCOME_UNKNOWN is for good.
 * Errors: an attempt whose instance does not come back settles as gone; the call decides what that means.
 * Source: docs/protocol.md section 6, "Results".
 */
import { SvcError } from '../../protocol/errors';
import { CLOSE_CODES, type RegisterParams } from '../../protocol/frames';
import { formatActionId } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import { startGracePeriod } from '../lib/grace-period';
import type { ActionRecord } from '../store/store';
import type { Attempt } from './attempt';
import { OrphanedAttempts } from './orphaned-attempts';
import { Replica } from './replica';
import type { ReplicaDirectory } from './replica-directory';
import type { ToolkitConnection } from './toolkit-connection';

export interface RegisteredInstance {
  toolkitId: string;
  instance: string;
  unfinished: string[];
  /** See `RegisterParams`. */
  connection?: number | undefined;
  registered?: number | undefined;
}

/** Listed invocations of an instance that the hub does not know, and whose outcome is still of use. */
export type FindReturned = (toolkitId: string, ids: readonly string[]) => Promise<Attempt[]>;

/** Unknown invocations that one registration may list: each costs a query to the store. */
const MAX_RETURNED = 5_000;

export interface InstanceLifecycleDeps {
  directory: ReplicaDirectory;
  registry: { mayRepeat(actionId: string): boolean };
  limits: Pick<Limits, 'reconnectGraceMs' | 'takeoverGraceMs'>;
}

export class InstanceLifecycle {
  readonly #directory: ReplicaDirectory;
  readonly #registry: InstanceLifecycleDeps['registry'];
  readonly #limits: InstanceLifecycleDeps['limits'];
  readonly #orphans = new OrphanedAttempts();
  /** Ends the period in which the instance of a replica without a connection may return. */
  readonly #stopGrace = new Map<Replica, () => void>();
  readonly #listeners: ((registered: RegisteredInstance) => void)[] = [];
  readonly #leftListeners: ((toolkitId: string) => void)[] = [];
  #findReturned: FindReturned = async () => [];
  #closed = false;

  constructor({ directory, registry, limits }: InstanceLifecycleDeps) {
    this.#directory = directory;
    this.#registry = registry;
    this.#limits = limits;
  }

  /** Calls back when an instance has registered here: `unfinished` lists every invocation of those that were ever sent to it. */
  onRegistered(listener: (registered: RegisteredInstance) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls back when an instance has left: the others of its toolkit may have registered their actions otherwise. */
  onLeft(listener: (toolkitId: string) => void): void {
    this.#leftListeners.push(listener);
  }

  /** Asked at each registration, before the instance is attached. */
  onReturned(find: FindReturned): void {
    this.#findReturned = find;
  }

  /** Keeps an attempt of a former process of the service until an instance lists it; it is lost after `graceMs`. */
  adopt(attempt: Attempt, graceMs: number): void {
    this.#orphans.add(attempt, graceMs);
  }

  /** Invocations that an instance has from other nodes, or from calls that were given up here. */
  async returned(toolkitId: string, { instance, unfinished }: Pick<RegisterParams, 'instance' | 'unfinished'>): Promise<Attempt[]> {
    const known = this.#directory.of(toolkitId).byInstance.get(instance);
    const unknown = unfinished.filter((id) => !known?.running.has(id) && !this.#orphans.has(id));
    return unknown.length === 0 ? [] : this.#findReturned(toolkitId, unknown.slice(0, MAX_RETURNED));
  }

  /** A connection of the instance has registered. Returns the attempts that never arrived, for `resume`. */
  attach(
    connection: ToolkitConnection,
    registration: Omit<RegisterParams, 'actions'>,
    { actions, returned }: { actions: ReadonlyMap<string, ActionRecord>; returned: readonly Attempt[] },
  ): { replica: Replica; missing: Attempt[] } {
    const { toolkitId } = connection;
    const { instance, unfinished } = registration;
    const { byInstance } = this.#directory.of(toolkitId);
    const replica = byInstance.get(instance) ?? new Replica(toolkitId, instance);
    const again = replica.connection === connection;
    if (!again) replica.connection?.close(CLOSE_CODES.replaced, 'this instance connected again');
    this.#endGrace(replica);
    for (const attempt of returned) replica.running.set(attempt.id, attempt);
    byInstance.set(instance, replica);
    const hasStayedHere = replica.hasStayedHere(registration);
    replica.attach(connection, registration, actions);
    if (again) return { replica, missing: [] };
    const missing = this.#missing(replica, new Set(unfinished), hasStayedHere);
    const { connection: number, registered } = registration;
    for (const listener of this.#listeners) listener({ toolkitId, instance, unfinished, connection: number, registered });
    return { replica, missing };
  }

  /** The instance knows that it is registered: sends what never arrived, and repeats the cancels. */
  resume(replica: Replica, connection: ToolkitConnection, missing: readonly Attempt[]): void {
    if (replica.connection !== connection) return;
    for (const attempt of missing) replica.send(attempt);
    for (const attempt of replica.running.values()) replica.sendCancel(attempt);
    this.#directory.of(replica.toolkitId).pump();
  }

  /** @param wasReset see `ToolkitConnection.wasReset` */
  disconnected(replica: Replica, wasReset: boolean): void {
    replica.connection = undefined;
    if (this.#closed) return;
    const replicas = this.#directory.of(replica.toolkitId);
    if (replica.running.size === 0) replicas.byInstance.delete(replica.instance);
    else this.#startGrace(replica, this.#limits.reconnectGraceMs, () => (wasReset ? this.#loseRepeatable(replica) : this.#lose(replica)));
    replicas.pump();
    this.#left(replica.toolkitId);
  }

  /** An instance that was connected here is connected to another node now. */
  moved({ toolkitId, instance, unfinished: ids, connection: number = Infinity, registered }: RegisteredInstance): void {
    const replicas = this.#directory.of(toolkitId);
    const replica = replicas.byInstance.get(instance);
    // A late message about a former connection: the instance has been here since.
    if (!replica || number < (replica.connectionNumber ?? 0)) return;
    const unfinished = new Set(ids);
    const hasStayedHere = replica.hasStayedHere(registered === undefined ? {} : { registered });
    replicas.byInstance.delete(instance);
    this.#endGrace(replica);
    const { connection } = replica;
    replica.connection = undefined;
    connection?.close(CLOSE_CODES.replaced, 'this instance has connected to another node');
    for (const attempt of [...replica.running.values()]) {
      if (unfinished.has(attempt.id) || !hasStayedHere) attempt.settle({ gone: 'moved' });
      else if (attempt.request.payloadJson === null) attempt.settle({ gone: 'lost' });
      else if (attempt.cancelled) settleUnsent(attempt);
      else attempt.settle({ gone: 'unsent' });
    }
    replica.running.clear();
    replicas.pump();
    this.#left(toolkitId);
  }

  close(): void {
    this.#closed = true;
    this.#orphans.close();
    for (const stopGrace of this.#stopGrace.values()) stopGrace();
  }

  /** Takes over orphaned attempts that the instance has; returns those that were sent and never arrived. */
  #missing(replica: Replica, unfinished: ReadonlySet<string>, hasStayedHere: boolean): Attempt[] {
    for (const id of unfinished) {
      const orphan = this.#orphans.take(id, replica.toolkitId);
      if (orphan) replica.running.set(id, orphan);
    }
    const missing: Attempt[] = [];
    for (const attempt of [...replica.running.values()]) {
      if (unfinished.has(attempt.id) || attempt.request.payloadJson === null) continue;
      const { actionName, actionVersion } = attempt.request;
      const isChanged = actionVersion !== undefined && !replica.offers(actionName, actionVersion);
      if (hasStayedHere && !attempt.cancelled && !isChanged) {
        missing.push(attempt);
        continue;
      }
      replica.running.delete(attempt.id);
      if (hasStayedHere && !attempt.cancelled) attempt.settle({ gone: 'unsent' });
      else if (hasStayedHere) settleUnsent(attempt);
      // Another node has had the instance since, and may have its answer.
      else attempt.settle({ gone: 'moved' });
    }
    return missing;
  }

  #left(toolkitId: string): void {
    this.#directory.changed(toolkitId);
    for (const listener of this.#leftListeners) listener(toolkitId);
  }

  #startGrace(replica: Replica, ms: number, onEnd: () => void): void {
    this.#stopGrace.set(replica, startGracePeriod(ms, onEnd));
  }

  #endGrace(replica: Replica): void {
    this.#stopGrace.get(replica)?.();
    this.#stopGrace.delete(replica);
  }

  /** Another replica may run these now; the others wait on. */
  #loseRepeatable(replica: Replica): void {
    for (const attempt of [...replica.running.values()]) {
      const { toolkitId, actionName } = attempt.request;
      if (!this.#registry.mayRepeat(formatActionId(toolkitId, actionName))) continue;
      replica.running.delete(attempt.id);
      attempt.settle({ gone: 'lost' });
    }
    if (replica.running.size === 0) return this.#lose(replica);
    const { reconnectGraceMs, takeoverGraceMs } = this.#limits;
    this.#startGrace(replica, Math.max(0, takeoverGraceMs - reconnectGraceMs), () => this.#lose(replica));
    this.#directory.of(replica.toolkitId).pump();
  }

  #lose(replica: Replica): void {
    this.#stopGrace.delete(replica);
    const replicas = this.#directory.of(replica.toolkitId);
    replicas.byInstance.delete(replica.instance);
    for (const attempt of replica.running.values()) attempt.settle({ gone: 'lost' });
    replicas.pump();
  }
}

/** The attempt never arrived and its caller has left: it must not begin now. */
function settleUnsent(attempt: Attempt): void {
  const code = attempt.cancelled === 'timeout' ? 'INVOCATION_TIMEOUT' : 'INVOCATION_CANCELLED';
  const details = { invocationId: attempt.id };
  attempt.settle({ error: new SvcError(code, `${attempt.id} did not reach the toolkit before its caller left`, details) });
}

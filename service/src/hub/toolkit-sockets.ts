/** The toolkit sockets of this node, each with its key and replica, and whether new sockets are accepted. */
import { CLOSE_CODES } from '#sdk/protocol/frames';
import { KeyedCounts } from '../lib/keyed-counts';
import type { OtherNodes } from './other-nodes';
import { ReadShare } from './read-share';
import type { Replica } from './replica';
import type { ToolkitConnection } from './toolkit-connection';

export class ToolkitSockets {
  readonly #otherNodes: Pick<OtherNodes, 'sockets'>;
  /** Undefined until the instance has registered. */
  readonly #replicas = new Map<ToolkitConnection, Replica | undefined>();
  readonly #byKey = new KeyedCounts();
  readonly #shares = new Map<string, ReadShare>();
  #accepting = true;

  constructor(otherNodes: Pick<OtherNodes, 'sockets'>) {
    this.#otherNodes = otherNodes;
  }

  get size(): number {
    return this.#replicas.size;
  }

  /** Toolkit key id -> number of its sockets at this node. Keys without a socket are absent. */
  get byKey(): ReadonlyMap<string, number> {
    return this.#byKey.all;
  }

  /** Sockets of the key at all nodes. */
  countOf(keyId: string): number {
    return this.#byKey.of(keyId) + this.#otherNodes.sockets(keyId);
  }

  /** Whether toolkits may connect. */
  get accepting(): boolean {
    return this.#accepting;
  }

  /** Refuses new sockets and keeps the open ones. */
  stopAccepting(): void {
    this.#accepting = false;
  }

  /** The share of the event loop for the frames of the key. */
  shareOf(keyId: string): ReadShare {
    let share = this.#shares.get(keyId);
    if (!share) {
      share = new ReadShare();
      this.#shares.set(keyId, share);
    }
    return share;
  }

  add(connection: ToolkitConnection): void {
    this.#replicas.set(connection, undefined);
    this.#byKey.increment(connection.keyId);
  }

  /** Returns the replica that the socket served. */
  remove(connection: ToolkitConnection): Replica | undefined {
    const replica = this.#replicas.get(connection);
    this.#replicas.delete(connection);
    this.#byKey.decrement(connection.keyId);
    if (this.#byKey.of(connection.keyId) === 0) this.#shares.delete(connection.keyId);
    return replica;
  }

  replicaOf(connection: ToolkitConnection): Replica | undefined {
    return this.#replicas.get(connection);
  }

  registered(connection: ToolkitConnection, replica: Replica): void {
    this.#replicas.set(connection, replica);
  }

  /** Closes the sockets of a key that was revoked, rotated or has expired. */
  refuseKey(keyId: string, reason: string): void {
    for (const connection of this.#replicas.keys()) {
      if (connection.keyId === keyId) connection.close(CLOSE_CODES.keyRefused, reason);
    }
  }

  /** Closes the sockets that a secret opened which was replaced and works no longer. */
  refuseSecret(keyHash: string, reason: string): void {
    for (const connection of this.#replicas.keys()) {
      if (connection.keyHash === keyHash) connection.close(CLOSE_CODES.keyRefused, reason);
    }
  }

  /**
   * Asks every connected toolkit to move to another node within `withinMs`. An SDK that does not know the method stays connected until
   * `close`.
   */
  askToReconnect(withinMs: number): void {
    for (const connection of this.#replicas.keys()) connection.askToReconnect(withinMs);
  }

  close(): void {
    this.#accepting = false;
    for (const connection of this.#replicas.keys()) connection.close(CLOSE_CODES.goingAway, 'the service is stopping');
  }
}

/** The toolkit sockets of this node: whose they are, and which replica each of them is. */
import type { Connection } from './connection';
import type { Replica } from './replica';

export class Sockets {
  /** Undefined until it has registered. */
  readonly #replicas = new Map<Connection, Replica | undefined>();
  readonly #byKey = new Map<string, number>();

  get size(): number {
    return this.#replicas.size;
  }

  /** Toolkit key id -> sockets; a key without a socket is not there. */
  get byKey(): ReadonlyMap<string, number> {
    return this.#byKey;
  }

  add(connection: Connection): void {
    this.#replicas.set(connection, undefined);
    this.#byKey.set(connection.keyId, (this.#byKey.get(connection.keyId) ?? 0) + 1);
  }

  /** Returns the replica that it was. */
  remove(connection: Connection): Replica | undefined {
    const replica = this.#replicas.get(connection);
    this.#replicas.delete(connection);
    const left = (this.#byKey.get(connection.keyId) ?? 1) - 1;
    if (left === 0) this.#byKey.delete(connection.keyId);
    else this.#byKey.set(connection.keyId, left);
    return replica;
  }

  has(connection: Connection): boolean {
    return this.#replicas.has(connection);
  }

  replicaOf(connection: Connection): Replica | undefined {
    return this.#replicas.get(connection);
  }

  registered(connection: Connection, replica: Replica): void {
    this.#replicas.set(connection, replica);
  }

  /** Of one key, or all. */
  close(code: number, reason: string, keyId?: string): void {
    for (const connection of this.#replicas.keys()) {
      if (keyId === undefined || connection.keyId === keyId) connection.close(code, reason);
    }
  }

  askToReconnect(withinMs: number): void {
    for (const connection of this.#replicas.keys()) connection.askToReconnect(withinMs);
  }
}

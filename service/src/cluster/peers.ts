/**
 * The other nodes: their last known offers, and their usage of shared limits.
 *
 * Units: milliseconds of a monotonic clock.
 */
import type { AllOffersMessage, OfferMessage, ToolkitOffer } from './message-schemas';

/** Time after which a silent node is removed: ten heartbeats. */
const SILENT_MS = 5_000;

interface Offer {
  replicas: number;
  actions: ReadonlySet<string>;
}

interface Peer {
  seenAt: number;
  /** The number of the last received offer. */
  number: number;
  offers: Map<string, Offer>;
  counts: Readonly<Record<string, number>>;
}

export class Peers {
  readonly #now: () => number;
  readonly #peers = new Map<string, Peer>();
  /** Toolkit id -> nodes that offer it. */
  readonly #holders = new Map<string, Set<string>>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#peers.size;
  }

  names(): string[] {
    return [...this.#peers.keys()];
  }

  has(node: string): boolean {
    return this.#peers.has(node);
  }

  /** Nodes that offer the action. */
  offering(toolkitId: string, actionName: string): string[] {
    return [...(this.#holders.get(toolkitId) ?? [])].filter((node) =>
      this.#peers.get(node)?.offers.get(toolkitId)?.actions.has(actionName),
    );
  }

  offers(toolkitId: string, actionName: string): boolean {
    for (const node of this.#holders.get(toolkitId) ?? []) {
      if (this.#peers.get(node)?.offers.get(toolkitId)?.actions.has(actionName)) return true;
    }
    return false;
  }

  replicas(toolkitId: string): number {
    let count = 0;
    for (const node of this.#holders.get(toolkitId) ?? []) count += this.#peers.get(node)?.offers.get(toolkitId)?.replicas ?? 0;
    return count;
  }

  /** Returns the usage of a limit at all other nodes. */
  count(name: string): number {
    let sum = 0;
    for (const { counts } of this.#peers.values()) sum += counts[name] ?? 0;
    return sum;
  }

  /** Returns false when an earlier offer was missed: the sender should send its complete list. */
  offered({ from, number, toolkitId, replicas, actions, more = [] }: OfferMessage): boolean {
    const peer = this.#peers.get(from);
    if (!peer || number !== peer.number + 1) return peer !== undefined && number <= peer.number;
    peer.number = number + more.length;
    peer.seenAt = this.#now();
    for (const offer of [{ toolkitId, replicas, actions }, ...more]) this.#put(from, peer, offer);
    return true;
  }

  /** Returns false when an offer was missed. */
  heartbeat(from: string, number: number, counts: Record<string, number>): boolean {
    const peer = this.#peers.get(from);
    if (!peer) return false;
    peer.seenAt = this.#now();
    peer.counts = counts;
    return number === peer.number;
  }

  /** Replaces everything known about a node with its complete list of offers. */
  allOffers({ from, number, counts, offers }: AllOffersMessage): void {
    this.forget(from);
    const peer: Peer = { seenAt: this.#now(), number, counts, offers: new Map() };
    this.#peers.set(from, peer);
    for (const offer of offers) this.#put(from, peer, offer);
  }

  /** Returns false for an unknown node. */
  forget(node: string): boolean {
    const peer = this.#peers.get(node);
    if (!peer) return false;
    for (const toolkitId of peer.offers.keys()) this.#removeHolder(toolkitId, node);
    return this.#peers.delete(node);
  }

  /** Restarts the timeouts of all nodes after an outage of the bus or of this node. */
  resetLastSeen(): void {
    for (const peer of this.#peers.values()) peer.seenAt = this.#now();
  }

  /** Removes silent nodes. Returns false if no node was silent. */
  sweep(): boolean {
    const before = this.#now() - SILENT_MS;
    const silent = [...this.#peers].filter(([, { seenAt }]) => seenAt < before);
    for (const [node] of silent) this.forget(node);
    return silent.length > 0;
  }

  #put(node: string, peer: Peer, { toolkitId, replicas, actions }: ToolkitOffer): void {
    if (replicas === 0) {
      peer.offers.delete(toolkitId);
      this.#removeHolder(toolkitId, node);
      return;
    }
    peer.offers.set(toolkitId, { replicas, actions: new Set(actions) });
    const holders = this.#holders.get(toolkitId) ?? new Set();
    this.#holders.set(toolkitId, holders.add(node));
  }

  #removeHolder(toolkitId: string, node: string): void {
    const holders = this.#holders.get(toolkitId);
    holders?.delete(node);
    if (holders?.size === 0) this.#holders.delete(toolkitId);
  }
}

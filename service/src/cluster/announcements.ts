/**
 * Announces this node's numbered offers and the instances that registered here. Joins the queue group of each toolkit that this node holds.
 *
 * Shape: changes of one event-loop turn are announced together after it.
 */
import type { Bus } from '../bus/bus';
import { KIND } from './message-kinds';
import type { InstanceMessage, NodeMessage, ToolkitOffer } from './message-schemas';
import { ALL_NODES_SUBJECT, nodeSubject, toolkitSubject } from './subjects';

/** The offers of this node. */
export interface Offers {
  offer(toolkitId: string): { replicas: number; actions: string[] };
  /** Toolkits with an offer. */
  toolkitIds(): Iterable<string>;
  /** Name of a shared limit -> current usage at this node. */
  counts(): Record<string, number>;
}

export interface AnnouncementDeps {
  bus: Bus;
  node: string;
  offers: () => Offers;
  publish: (subject: string, message: NodeMessage) => void;
  /** Whether other nodes are known. */
  hasOthers: () => boolean;
  /** Called with a message of another node for a toolkit of this one. */
  onMessage: (text: string, answer: (text: string) => void) => void;
}

/** Maximum number of offers in one message. */
const OFFERS_PER_MESSAGE = 100;

export class Announcements {
  readonly #deps: AnnouncementDeps;
  /** Toolkit id -> function that ends its subscription. */
  readonly #groups = new Map<string, () => void>();
  readonly #changed = new Set<string>();
  #instances: InstanceMessage[] = [];
  #turn: NodeJS.Immediate | undefined;
  #number = 0;
  #leaving = false;

  constructor(deps: AnnouncementDeps) {
    this.#deps = deps;
  }

  changed(toolkitId: string): void {
    this.#publishAfterTurn();
    this.#changed.add(toolkitId);
  }

  instanceRegistered(registered: Omit<InstanceMessage, 'kind' | 'from'>): void {
    this.#publishAfterTurn();
    this.#instances.push({ kind: 'instance', from: this.#deps.node, ...registered });
  }

  /** Sends a heartbeat with the number of offers so far. A node that missed an offer requests all offers. */
  sendHeartbeat(): void {
    if (this.#leaving) return;
    const { node, offers, publish, hasOthers } = this.#deps;
    publish(ALL_NODES_SUBJECT, { kind: KIND.heartbeat, from: node, number: this.#number, counts: hasOthers() ? offers().counts() : {} });
  }

  /** Sends all offers to a node that requested them. */
  sendAll(to: string): void {
    if (this.#leaving) return;
    const { node, publish } = this.#deps;
    const offers = this.#deps.offers();
    const all = Array.from(offers.toolkitIds(), (toolkitId) => ({ toolkitId, ...offers.offer(toolkitId) }));
    publish(nodeSubject(to), {
      kind: KIND.allOffers,
      from: node,
      number: this.#number,
      counts: offers.counts(),
      offers: all.filter(({ replicas }) => replicas > 0),
    });
  }

  /** Withdraws all offers of this node. */
  leave(): void {
    if (this.#leaving) return;
    this.#leaving = true;
    for (const stop of this.#groups.values()) stop();
    this.#groups.clear();
    this.#deps.publish(ALL_NODES_SUBJECT, { kind: 'leaving', from: this.#deps.node });
  }

  #publishAfterTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#publishInstances();
      this.#publishChanges();
    });
  }

  #publishInstances(): void {
    const instances = this.#instances;
    this.#instances = [];
    if (this.#deps.hasOthers()) for (const message of instances) this.#deps.publish(ALL_NODES_SUBJECT, message);
  }

  #publishChanges(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (this.#leaving) return;
    const all = this.#deps.offers();
    const offers = changed.map((toolkitId) => ({ toolkitId, ...all.offer(toolkitId) }));
    for (const { toolkitId, replicas } of offers) this.#listenFor(toolkitId, replicas > 0);
    while (offers.length > 0) this.#publishOffers(offers.splice(0, OFFERS_PER_MESSAGE));
  }

  #publishOffers([first, ...more]: ToolkitOffer[]): void {
    if (!first) return;
    const { node, publish, hasOthers } = this.#deps;
    const number = this.#number + 1;
    this.#number += 1 + more.length;
    if (hasOthers()) publish(ALL_NODES_SUBJECT, { kind: 'offer', from: node, number, ...first, ...(more.length > 0 && { more }) });
  }

  #listenFor(toolkitId: string, wanted: boolean): void {
    const stop = this.#groups.get(toolkitId);
    if (wanted === (stop !== undefined)) return;
    stop?.();
    const { bus, onMessage } = this.#deps;
    if (wanted) this.#groups.set(toolkitId, bus.subscribe(toolkitSubject(toolkitId), onMessage, { group: 'nodes' }));
    else this.#groups.delete(toolkitId);
  }
}

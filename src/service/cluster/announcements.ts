/**
 * Announcements of this node: its offers, by number, and the instances that registered here. It is in the queue group of each toolkit that it holds.
 *
 * Shape: changes of one event-loop turn are announced once, after it, so that they travel in one piece.
 */
import type { Bus } from '../bus/bus';
import type { InstanceMessage, NodeMessage, ToolkitOffer } from './messages';
import { ALL_NODES_SUBJECT, nodeSubject, toolkitSubject } from './subjects';

/** The offers of this node. */
export interface Offers {
  offer(toolkitId: string): { replicas: number; actions: string[] };
  /** Toolkits of which there is something to offer. */
  toolkitIds(): Iterable<string>;
  /** Current usage of limits that all nodes share, by name. */
  counts(): Record<string, number>;
}

export interface AnnouncementDeps {
  bus: Bus;
  node: string;
  offers: () => Offers;
  publish: (subject: string, message: NodeMessage) => void;
  /** Whether there is anybody to tell. */
  hasOthers: () => boolean;
  /** A call of another node for a toolkit of this one. */
  hear: (text: string, answer: (text: string) => void) => void;
}

/** Changes of one event-loop turn. */
const OFFERS_PER_MESSAGE = 100;

export class Announcements {
  readonly #parts: AnnouncementDeps;
  /** Toolkit id -> end of its subscription. */
  readonly #groups = new Map<string, () => void>();
  readonly #changed = new Set<string>();
  #instances: InstanceMessage[] = [];
  #turn: NodeJS.Immediate | undefined;
  #number = 0;
  #leaving = false;

  constructor(deps: AnnouncementDeps) {
    this.#parts = deps;
  }

  changed(toolkitId: string): void {
    this.#sayAfterTurn();
    this.#changed.add(toolkitId);
  }

  instanceHere(registered: Omit<InstanceMessage, 'kind' | 'from'>): void {
    this.#sayAfterTurn();
    this.#instances.push({ kind: 'instance', from: this.#parts.node, ...registered });
  }

  /** Announces that the node is alive: a node that has received fewer offers than their number asks for all. */
  alive(): void {
    if (this.#leaving) return;
    const { node, offers, publish, hasOthers } = this.#parts;
    publish(ALL_NODES_SUBJECT, { kind: 'alive', from: node, number: this.#number, counts: hasOthers() ? offers().counts() : {} });
  }

  /** Everything, to a node that asked. */
  all(to: string): void {
    if (this.#leaving) return;
    const { node, publish } = this.#parts;
    const offers = this.#parts.offers();
    const all = Array.from(offers.toolkitIds(), (toolkitId) => ({ toolkitId, ...offers.offer(toolkitId) }));
    publish(nodeSubject(to), {
      kind: 'all',
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
    this.#parts.publish(ALL_NODES_SUBJECT, { kind: 'leaving', from: this.#parts.node });
  }

  #sayAfterTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#sayInstances();
      this.#sayChanges();
    });
  }

  #sayInstances(): void {
    const instances = this.#instances;
    this.#instances = [];
    if (this.#parts.hasOthers()) for (const message of instances) this.#parts.publish(ALL_NODES_SUBJECT, message);
  }

  #sayChanges(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    if (this.#leaving) return;
    const all = this.#parts.offers();
    const offers = changed.map((toolkitId) => ({ toolkitId, ...all.offer(toolkitId) }));
    for (const { toolkitId, replicas } of offers) this.#listenFor(toolkitId, replicas > 0);
    while (offers.length > 0) this.#sayOffers(offers.splice(0, OFFERS_PER_MESSAGE));
  }

  #sayOffers([first, ...more]: ToolkitOffer[]): void {
    if (!first) return;
    const { node, publish, hasOthers } = this.#parts;
    const number = this.#number + 1;
    this.#number += 1 + more.length;
    if (hasOthers()) publish(ALL_NODES_SUBJECT, { kind: 'offer', from: node, number, ...first, ...(more.length > 0 && { more }) });
  }

  #listenFor(toolkitId: string, wanted: boolean): void {
    const stop = this.#groups.get(toolkitId);
    if (wanted === (stop !== undefined)) return;
    stop?.();
    const { bus, hear } = this.#parts;
    if (wanted) this.#groups.set(toolkitId, bus.subscribe(toolkitSubject(toolkitId), hear, { group: 'nodes' }));
    else this.#groups.delete(toolkitId);
  }
}

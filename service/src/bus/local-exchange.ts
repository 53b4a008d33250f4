/**
 * Connects the local buses of a process. A service has its own exchange; in tests several buses share one.
 *
 * Order: messages are delivered one at a time in the order of sending, never on the sender's stack.
 */
import type { BusListener } from './bus';

export interface LocalSubscription {
  subject: string;
  listener: BusListener;
  group: string | undefined;
  stopped: boolean;
}

interface Listeners {
  plain: Set<LocalSubscription>;
  groups: Map<string, Set<LocalSubscription>>;
}

export class LocalExchange {
  readonly #subjects = new Map<string, Listeners>();
  #waiting: (() => void)[] = [];

  add(subscription: LocalSubscription): void {
    const { subject, group } = subscription;
    const listeners = this.#subjects.get(subject) ?? { plain: new Set(), groups: new Map() };
    this.#subjects.set(subject, listeners);
    if (group === undefined) {
      listeners.plain.add(subscription);
      return;
    }
    const members = listeners.groups.get(group) ?? new Set();
    listeners.groups.set(group, members.add(subscription));
  }

  remove(subscription: LocalSubscription): void {
    const { subject, group } = subscription;
    subscription.stopped = true;
    const listeners = this.#subjects.get(subject);
    if (!listeners) return;
    if (group === undefined) listeners.plain.delete(subscription);
    else {
      const members = listeners.groups.get(group);
      members?.delete(subscription);
      if (members?.size === 0) listeners.groups.delete(group);
    }
    if (listeners.plain.size === 0 && listeners.groups.size === 0) this.#subjects.delete(subject);
  }

  /** The receivers of a message: all subscribers without a group, and the next member of each group. */
  receivers(subject: string): LocalSubscription[] {
    const listeners = this.#subjects.get(subject);
    if (!listeners) return [];
    const receivers = [...listeners.plain];
    for (const members of listeners.groups.values()) {
      const [next] = members;
      if (!next) continue;
      receivers.push(next);
      // Round robin: moves the member to the end.
      members.delete(next);
      members.add(next);
    }
    return receivers;
  }

  /** Runs the work in a later microtask, after all earlier work. */
  later(work: () => void): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#run());
  }

  /** Resolves when all messages that wait now are delivered. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.later(resolve));
  }

  #run(): void {
    // Messages that are sent meanwhile wait for the next round, which bounds this array.
    const round = this.#waiting;
    this.#waiting = [];
    for (const work of round) work();
  }
}

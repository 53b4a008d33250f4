/**
 * What happens to one call on its way, where somebody keeps that. No text of callers and handlers is in it, but the `userId` of an agent token.
 *
 * Units: milliseconds since this node got the call, to the tenth.
 */
import type { TimelineEntry } from '../../protocol/admin';
import type { Progress } from '../../protocol/http';

/** A handler may report for ever: what it says after these replaces the last of them. */
const MAX_REPORTS = 50;
/** A call may be sent from node to node for minutes: what is beyond these is left out. */
const MAX_ENTRIES = 200;

export class Timeline {
  readonly entries: TimelineEntry[];
  /** The id under which the books have the call: it gets another one when it starts over, and none when it is answered with an earlier outcome. */
  bookedAs: string | undefined;
  readonly #startedAt = performance.now();
  #reports = 0;
  #forwardedAt = 0;

  constructor(node: string) {
    this.entries = [{ ms: 0, what: 'received', detail: node }];
  }

  get ageMs(): number {
    return Math.round((performance.now() - this.#startedAt) * 10) / 10;
  }

  add(what: TimelineEntry['what'], detail?: string): void {
    if (this.entries.length < MAX_ENTRIES || what === 'ended') this.entries.push(entry(this.ageMs, what, detail));
  }

  claimed(id: string, node: string): void {
    this.bookedAs = id;
    this.add('claimed', node);
  }

  forwarded(to: string): void {
    this.#forwardedAt = this.ageMs;
    this.add('forwarded', to);
  }

  /** How far it is; what the handler says of it is its own text. */
  progressed({ progress, total }: Progress): void {
    if (++this.#reports > MAX_REPORTS) {
      const last = this.entries.findLastIndex(({ what }) => what === 'progress');
      if (last !== -1) this.entries.splice(last, 1);
    }
    this.add('progress', total === undefined ? String(progress) : `${progress} of ${total}`);
  }

  /** What the node says that the call was forwarded to. Its clock is another one: it counts from when the call was sent there. */
  join(id: string, entries: readonly TimelineEntry[]): void {
    for (const { ms, what, detail } of entries) {
      if (what === 'claimed') this.bookedAs = id;
      if (this.entries.length < MAX_ENTRIES) this.entries.push(entry(Math.round((this.#forwardedAt + ms) * 10) / 10, what, detail));
    }
    this.entries.sort((a, b) => a.ms - b.ms);
  }
}

function entry(ms: number, what: TimelineEntry['what'], detail: string | undefined): TimelineEntry {
  return detail === undefined ? { ms, what } : { ms, what, detail };
}

/**
 * The steps of one call, for the console. It holds no text of callers and handlers, except the `userId` of an agent token.
 *
 * Units: milliseconds since this node got the call, to the tenth.
 * Shape: JSON text that grows by one entry a step: nearly all timelines are only stored.
 */
import type { TimelineEntry } from '../../protocol/admin';
import type { Progress } from '../../protocol/http';

/** A handler may report progress for ever. Beyond this, a report replaces the last one. */
const MAX_REPORTS = 50;
/** A call may move between nodes for minutes. Entries beyond this are left out, except the end. */
const MAX_ENTRIES = 200;
/** JSON writes these characters as they are. */
const PLAIN_TEXT = /^[\w .:-]*$/;

export class Timeline {
  /** The id of the call in the store. It changes when the call starts over, and is not set for a call that gets an earlier outcome. */
  bookedAs: string | undefined;
  readonly #startedAt = performance.now();
  /** The entries, with commas between. */
  #text: string;
  #length = 1;
  #reports = 0;
  #forwardedAt = 0;

  constructor(node: string) {
    this.#text = entryText('0', 'received', node);
  }

  /** How many entries there are. */
  get length(): number {
    return this.#length;
  }

  /** JSON text of the entries. */
  get json(): string {
    return `[${this.#text}]`;
  }

  get entries(): TimelineEntry[] {
    return JSON.parse(this.json);
  }

  get ageMs(): number {
    return this.#tenths() / 10;
  }

  add(what: TimelineEntry['what'], detail?: string): void {
    if (this.#length >= MAX_ENTRIES && what !== 'ended') return;
    this.#length++;
    this.#text += `,${entryText(tenthsText(this.#tenths()), what, detail)}`;
  }

  claimed(id: string, node: string): void {
    this.bookedAs = id;
    this.add('claimed', node);
  }

  forwarded(to: string): void {
    this.#forwardedAt = this.ageMs;
    this.add('forwarded', to);
  }

  /** Only the numbers: the message of a report is the handler's text. */
  progressed({ progress, total }: Progress): void {
    if (++this.#reports > MAX_REPORTS) {
      const { entries } = this;
      const last = entries.findLastIndex(({ what }) => what === 'progress');
      if (last !== -1) this.#replace(entries.toSpliced(last, 1));
    }
    this.add('progress', total === undefined ? String(progress) : `${progress} of ${total}`);
  }

  /** Adds the entries of the node that ran the call. They count from the arrival there; the clocks of both nodes may differ. */
  join(id: string, entries: readonly TimelineEntry[]): void {
    if (entries.some(({ what }) => what === 'claimed')) this.bookedAs = id;
    const room = Math.max(0, MAX_ENTRIES - this.#length);
    const added = entries.slice(0, room).map((entry) => ({ ...entry, ms: Math.round((this.#forwardedAt + entry.ms) * 10) / 10 }));
    this.#replace([...this.entries, ...added].sort((a, b) => a.ms - b.ms));
  }

  #replace(entries: readonly TimelineEntry[]): void {
    this.#length = entries.length;
    this.#text = JSON.stringify(entries).slice(1, -1);
  }

  #tenths(): number {
    return Math.round((performance.now() - this.#startedAt) * 10);
  }
}

function entryText(ms: string, what: TimelineEntry['what'], detail: string | undefined): string {
  if (detail === undefined) return `{"ms":${ms},"what":"${what}"}`;
  return `{"ms":${ms},"what":"${what}","detail":${PLAIN_TEXT.test(detail) ? `"${detail}"` : JSON.stringify(detail)}}`;
}

/** Integers become text several times faster than fractions. */
function tenthsText(tenths: number): string {
  const rest = tenths % 10;
  return rest === 0 ? `${tenths / 10}` : `${(tenths - rest) / 10}.${rest}`;
}

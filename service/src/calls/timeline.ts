/**
 * The steps of one call, for the console. Contains no text of callers and handlers, except the `userId` of an agent token.
 *
 * Units: milliseconds since this node received the request, to the tenth.
 * Shape: JSON text that grows by one entry per step, because nearly all timelines are stored and never read.
 */
import type { TimelineEntry } from '#sdk/protocol/admin';
import type { Progress } from '#sdk/protocol/http';

/** The number of progress reports is unlimited. Beyond this, a report replaces the last one. */
const MAX_REPORTS = 50;
/** A call may move between nodes for minutes. Entries beyond this are dropped, except the end. */
const MAX_ENTRIES = 200;
/** Characters that need no escape in JSON. */
const PLAIN_TEXT = /^[\w .:-]*$/;

const TRACED = 'traced';

interface StoredEntry extends Omit<TimelineEntry, 'what'> {
  what: TimelineEntry['what'] | typeof TRACED;
}

/** Reads a stored timeline. */
export function readTimeline(json: string): { entries: TimelineEntry[]; traceId: string | undefined } {
  const stored: StoredEntry[] = JSON.parse(json);
  const entries = stored.filter((entry): entry is TimelineEntry => entry.what !== TRACED);
  return { entries, traceId: stored.find(({ what }) => what === TRACED)?.detail };
}

export class Timeline {
  /** The id of the call in the store. It changes when the call starts over, and is not set for a call that gets an earlier outcome. */
  recordId: string | undefined;
  readonly #startedAt: number;
  /** The entries, separated by commas. */
  #text: string;
  #length = 1;
  #reports = 0;
  #forwardedAt = 0;

  /** @param startedAt the arrival of the request, by the clock of `performance` */
  constructor(node: string, startedAt = performance.now()) {
    this.#startedAt = startedAt;
    this.#text = entryText('0', 'received', node);
  }

  get length(): number {
    return this.#length;
  }

  get json(): string {
    // `join` makes one piece of the parts. A concatenation is a tree of them, which the garbage collector copies part by part.
    return ['[', this.#text, ']'].join('');
  }

  get entries(): TimelineEntry[] {
    return JSON.parse(this.json);
  }

  get ageMs(): number {
    return this.ageTenths / 10;
  }

  get ageTenths(): number {
    return Math.round((performance.now() - this.#startedAt) * 10);
  }

  /** Stores the id of the call's trace among the entries, which readers take out again: `readTimeline`. */
  traced(traceId: string): void {
    this.#addAt(this.ageTenths, TRACED, traceId);
  }

  add(what: TimelineEntry['what'], detail?: string): void {
    this.#addAt(this.ageTenths, what, detail);
  }

  claimed(id: string, node: string): void {
    this.recordId = id;
    this.add('claimed', node);
  }

  forwarded(to: string): void {
    // One reading of the clock: with two, the entries of the other node could sort before this one.
    const tenths = this.ageTenths;
    this.#forwardedAt = tenths / 10;
    this.#addAt(tenths, 'forwarded', to);
  }

  /** Adds the numbers of a report, without its message: that is the handler's text. */
  progressed({ progress, total }: Progress): void {
    if (++this.#reports > MAX_REPORTS) {
      const { entries } = this;
      const last = entries.findLastIndex(({ what }) => what === 'progress');
      if (last !== -1) this.#replace(entries.toSpliced(last, 1));
    }
    this.add('progress', total === undefined ? String(progress) : `${progress} of ${total}`);
  }

  /** Adds the entries of the node that ran the call. Their times are relative to the arrival there, since the two clocks may differ. */
  join(id: string, entries: readonly TimelineEntry[]): void {
    if (entries.some(({ what }) => what === 'claimed')) this.recordId = id;
    const room = Math.max(0, MAX_ENTRIES - this.#length);
    const added = entries.slice(0, room).map((entry) => ({ ...entry, ms: Math.round((this.#forwardedAt + entry.ms) * 10) / 10 }));
    this.#replace([...this.entries, ...added].sort((a, b) => a.ms - b.ms));
  }

  #addAt(tenths: number, what: StoredEntry['what'], detail: string | undefined): void {
    if (this.#length >= MAX_ENTRIES && what !== 'ended') return;
    this.#length++;
    this.#text += `,${entryText(tenthsText(tenths), what, detail)}`;
  }

  #replace(entries: readonly TimelineEntry[]): void {
    this.#length = entries.length;
    this.#text = JSON.stringify(entries).slice(1, -1);
  }
}

function entryText(ms: string, what: StoredEntry['what'], detail: string | undefined): string {
  if (detail === undefined) return `{"ms":${ms},"what":"${what}"}`;
  return `{"ms":${ms},"what":"${what}","detail":${PLAIN_TEXT.test(detail) ? `"${detail}"` : JSON.stringify(detail)}}`;
}

/** Converting integers to text is several times faster than converting fractions. */
function tenthsText(tenths: number): string {
  const rest = tenths % 10;
  return rest === 0 ? `${tenths / 10}` : `${(tenths - rest) / 10}.${rest}`;
}

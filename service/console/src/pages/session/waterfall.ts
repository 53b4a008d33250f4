/**
 * Places the searches and calls of a session on time axes. A person reads and writes between two turns of a conversation, so a long pause begins a
 * new part, with a separate axis: on one axis for hours, every bar would be a line.
 *
 * Units:  `at` in milliseconds since 1970, lengths in milliseconds, places as a share of the axis: 0 to 1.
 */
export interface Timed {
  at: number;
  ms: number;
}

export interface WaterfallPart<Entry extends Timed> extends Timed {
  /** Sorted by their start; never empty. */
  entries: Entry[];
  /** Time without a search or call before this part. 0 for the first one. */
  pauseMs: number;
}

/** A longer time without a search or call begins a new part. Models rarely think as long between two calls. */
export const LONG_PAUSE_MS = 30_000;

/** @param entries in the order of their start */
export function partsOf<Entry extends Timed>(entries: readonly Entry[]): WaterfallPart<Entry>[] {
  const parts: WaterfallPart<Entry>[] = [];
  for (const entry of entries) {
    const { at, ms } = entry;
    const part = parts.at(-1);
    const pauseMs = part ? at - part.at - part.ms : 0;
    if (part && pauseMs <= LONG_PAUSE_MS) {
      part.entries.push(entry);
      part.ms = Math.max(part.ms, at + ms - part.at);
    } else parts.push({ entries: [entry], at, ms, pauseMs });
  }
  return parts;
}

/** The place of a bar on the axis of its part, as shares of its length. */
export function barOf({ at, ms }: Timed, part: Timed): { from: number; length: number } {
  const whole = Math.max(part.ms, 1);
  return { from: (at - part.at) / whole, length: ms / whole };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30].flatMap((n) => [n * SECOND, n * MINUTE])].sort((a, b) => a - b);
const MAX_TICKS = 5;

/** A round distance between two marks of an axis of this length, which has at most five of them after its start. */
export function tickMs(ms: number): number {
  return TICKS.find((tick) => ms / tick <= MAX_TICKS) ?? Math.ceil(ms / MAX_TICKS / HOUR) * HOUR;
}

/**
 * Calls as lines for people: in columns within the width of a window, and the whole of each call in a pipe or a file.
 *
 * Shape: the time of day, with the day before the first call of another day; then action, outcome, duration and key.
 */
import { type Line, oneLine, styled } from '#sdk/cli/line';
import { cutToWidth, padToWidth, textWidth } from '#sdk/cli/text-width';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { printable } from '#sdk/protocol/invisible-text';

const GAP = '  ';
const RUNNING = 'running';
/** As long as `600000 ms`. */
const DURATION_CHARS = 9;
/** The name of a key is not cut shorter. */
const MIN_NAME = 8;

export class CallLines {
  readonly #width: () => number | undefined;
  #actionWidth = 0;
  #outcomeWidth = RUNNING.length;
  #day: string | undefined;

  /** @param width columns of the window; undefined: not a terminal */
  constructor(width: () => number | undefined) {
    this.#width = width;
  }

  /** Columns are as wide as the widest cell of these calls and of those before. */
  of(calls: readonly InvocationInfo[]): Line[] {
    for (const { action, code = '' } of calls) {
      this.#actionWidth = Math.max(this.#actionWidth, textWidth(shown(action)));
      this.#outcomeWidth = Math.max(this.#outcomeWidth, code.length);
    }
    return calls.map((call) => this.#line(call));
  }

  #line({ action, code, startedAt, ms, key }: InvocationInfo): Line {
    const said = oneLine(code ?? RUNNING);
    const outcome = styled(code === undefined ? 'yellow' : code === 'OK' ? 'green' : 'red', said);
    const took = ms === undefined ? '' : `${Math.round(ms)} ms`;
    const name = shown(key.name ?? key.id);
    const width = this.#width();
    if (width === undefined) return [`${shown(startedAt)}${GAP}${shown(action)}${GAP}`, outcome, `${took && GAP + took}${GAP}${name}`];
    const { day, time } = localTime(startedAt);
    const isNewDay = day !== this.#day;
    this.#day = day;
    const start = `${time}${GAP}${padToWidth(shown(action), this.#actionWidth)}${GAP}`;
    const end = `${' '.repeat(this.#outcomeWidth - textWidth(said))}${GAP}${took.padStart(DURATION_CHARS)}${GAP}`;
    const left = width - textWidth(start) - this.#outcomeWidth - textWidth(end);
    return [...(isNewDay ? [styled('dim', `${day}\n`)] : []), start, outcome, `${end}${cutToWidth(name, Math.max(MIN_NAME, left))}`];
  }
}

function shown(text: string): string {
  return printable(oneLine(text));
}

/** The time of this machine's zone. */
function localTime(at: string): { day: string; time: string } {
  const date = new Date(at);
  return { day: date.toDateString(), time: date.toTimeString().slice(0, 8) };
}

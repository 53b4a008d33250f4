/** Shows that a slow server is still starting: the last line of its stderr, such as npm's downloads. */
import type { ServerLog } from 'svc-service/import';
import type { Terminal } from '#sdk/cli/terminal';

const FIRST_MS = 3_000;
const ON_TERMINAL_MS = 1_000;
/** Longer than on a terminal: a file or a pipe keeps each line. */
const ELSEWHERE_MS = 10_000;

export class StartNotice {
  readonly #terminal: Terminal;
  readonly #id: string;
  readonly #startedAt = performance.now();
  #lastLine = '';
  #timer: NodeJS.Timeout;

  constructor(terminal: Terminal, id: string) {
    this.#terminal = terminal;
    this.#id = id;
    this.#timer = setTimeout(() => this.#show(), FIRST_MS);
  }

  readonly onLog = ({ message }: ServerLog): void => {
    this.#lastLine = message;
  };

  end(): void {
    clearTimeout(this.#timer);
  }

  #show(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    const words = this.#lastLine || 'it has said nothing on stderr';
    const line = `"${this.#id}" has been starting for ${seconds} s: ${words}`;
    const { showsProgress } = this.#terminal;
    if (showsProgress) this.#terminal.progress(line);
    else this.#terminal.note(line);
    this.#timer = setTimeout(() => this.#show(), showsProgress ? ON_TERMINAL_MS : ELSEWHERE_MS);
  }
}

import type { Terminal } from '#sdk/cli/terminal';

/** The exit code of Ctrl-C in a shell. */
const STOPPED = 130;

/** Ctrl-C or a signal aborts the running work, which cleans up; the result is then `undefined`. */
export async function interruptible<T>(terminal: Terminal, run: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  terminal.stopped().then(() => stop.abort());
  try {
    return await run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || (error as Error).name !== 'AbortError') throw error;
    terminal.note('Stopped before the end: nothing whole was written');
    terminal.exitCode = STOPPED;
    return undefined;
  }
}

/**
 * A throttle: runs a task at most every `everyMs`, never twice at once. Requests during a run cause one more run.
 *
 * Units:  `everyMs` in milliseconds, from the end of one run to the beginning of the next.
 * Errors: `task` must not reject.
 */
export interface Paced {
  ask(): void;
  /** Drops a run that has not begun. */
  stop(): void;
}

export function paced(task: () => Promise<void>, everyMs: number): Paced {
  let state: 'resting' | 'busy' | 'asked again' | 'stopped' = 'resting';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isStopped = () => state === 'stopped';
  const run = async (): Promise<void> => {
    state = 'busy';
    await task();
    if (isStopped()) return;
    timer = setTimeout(() => {
      if (state === 'asked again') void run();
      else state = 'resting';
    }, everyMs);
  };
  return {
    ask() {
      if (state === 'resting') void run();
      else if (state === 'busy') state = 'asked again';
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}

/**
 * A throttle: runs a task at most every `everyMs`, never twice at once. Requests during a run cause one more run.
 *
 * Units:  `everyMs` in milliseconds, from the end of one run to the beginning of the next.
 * Errors: `task` must not reject.
 */
export interface Throttled {
  request(): void;
  /** Cancels a run that has not begun. */
  stop(): void;
}

export function throttle(task: () => Promise<void>, everyMs: number): Throttled {
  let state: 'resting' | 'busy' | 'requested again' | 'stopped' = 'resting';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isStopped = () => state === 'stopped';
  const run = async (): Promise<void> => {
    state = 'busy';
    await task();
    if (isStopped()) return;
    timer = setTimeout(() => {
      if (state === 'requested again') void run();
      else state = 'resting';
    }, everyMs);
  };
  return {
    request() {
      if (state === 'resting') void run();
      else if (state === 'busy') state = 'requested again';
    },
    stop() {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}

/** The time that the pictures show. The clock of this process is stopped, so that what happens in every run happens at the same moment. */
import { mock } from 'node:test';

export const NOW = Date.UTC(2026, 10, 20, 14, 32, 8);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Half an hour before `NOW`: time enough for what is made before it. */
export function stopClock(): void {
  mock.timers.enable({ apis: ['Date'], now: NOW - 30 * MINUTE });
}

/** The next event is a minute later. */
export const passMinute = () => mock.timers.tick(MINUTE);

/** The next event is ten minutes before `NOW`. */
export const passToConversation = () => mock.timers.setTime(NOW - 10 * MINUTE);

export const passSomeMs = (ms: number) => mock.timers.tick(ms);

/** The next event is two minutes before `NOW`. */
export const passToLastCalls = () => mock.timers.setTime(NOW - 2 * MINUTE);

export const passSeconds = () => mock.timers.tick(13 * SECOND);

export const passToNow = () => mock.timers.setTime(NOW);

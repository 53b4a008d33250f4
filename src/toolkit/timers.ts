/** The longest delay of `setTimeout`, which fires at once above it. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

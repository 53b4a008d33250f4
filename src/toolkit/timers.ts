/** `setTimeout` fires at once for a longer time. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

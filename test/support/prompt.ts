/** Checks that an effect is immediate: a busy machine is late now and then, a delay in the code is late every time. */
export const PROMPT = { retry: 2 };

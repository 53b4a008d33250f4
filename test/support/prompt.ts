/** For tests of what has to happen at once: a busy machine may be late now and then, a delay of ours would be there every time. */
export const PROMPT = { retry: 2 };

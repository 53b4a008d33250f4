/** The tool call of every case, and its result. */
export const NAME = 'invoke_service';
export const INPUT = { action: 'bench__echo', payload: { text: 'hello' } };
export const INPUT_TEXT = JSON.stringify(INPUT);
export const RESULT = { text: 'hello' };
export const RESULT_TEXT = JSON.stringify(RESULT);

let calls = 0;

/** Unique like the ids of providers, so that the client derives the idempotency key from it. */
export function nextCallId(): string {
  calls += 1;
  return `call_9fKq2LmZ7xTbQw3RtYuI${calls}`;
}

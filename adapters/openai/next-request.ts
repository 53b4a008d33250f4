import type { ResponsesItem } from './responses';

/** The next request after a response of the Responses API. */
export interface NextRequest<Item, Result> {
  /** The items to add to the `input` of the request before: those of the response, and the answers to its calls. */
  input: (Item | Result)[];
  /** The model has ended: make no further request. */
  done: boolean;
}

/**
 * Goes on after a response, also in the middle of a program, where a response may have neither a call nor a message.
 *
 * @param results of `callTools(response.output)`, and of your own tools
 */
export function nextRequest<Item extends ResponsesItem, Result>(
  { output, status }: { output: readonly Item[]; status?: string | null | undefined },
  results: readonly Result[],
): NextRequest<Item, Result> {
  const has = (...types: string[]) => output.some(({ type }) => types.includes(type));
  const isInProgram = has('program', 'program_output') && !has('message') && (status ?? 'completed') === 'completed';
  return { input: [...output, ...results], done: results.length === 0 && !isInProgram };
}

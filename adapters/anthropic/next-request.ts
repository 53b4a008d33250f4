/** The next request after a message of the API. */
export interface NextMessages<Block, Result> {
  /** The messages to add: that of the model, and the results of its calls. */
  messages: ({ role: 'assistant'; content: Block[] } | { role: 'user'; content: Result[] })[];
  /** The `container` of the next request, which the API requires while a program waits for a result. */
  container: string | undefined;
  /** The model has ended: make no further request. */
  done: boolean;
}

/**
 * Goes on after a message, also in the middle of a program: its results are a user message of their own, and its container stays.
 *
 * @param results of `callTools(tools, message.content)`
 */
export function nextRequest<Block, Result>(
  message: { content: Block[]; stop_reason?: string | null; container?: { id: string } | null },
  results: Result[],
): NextMessages<Block, Result> {
  const answers = results.length > 0 ? [{ role: 'user' as const, content: results }] : [];
  return {
    messages: [{ role: 'assistant', content: message.content }, ...answers],
    container: message.container?.id,
    done: results.length === 0 && message.stop_reason !== 'pause_turn',
  };
}

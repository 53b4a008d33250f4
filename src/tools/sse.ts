/**
 * Server-sent events out of a stream of bytes.
 *
 * Shape:  `{event, data}`; `event` is `message` unless told, lines of `data` are joined by a line feed. `id` and `retry` are ignored: a call
 *         is resumed by its idempotency key.
 * Errors: rejects with what the stream rejects with. An event that the end of the stream cuts off is dropped.
 * Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
 */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/** What is used of a `ReadableStream`: not every `fetch` brings the platform's own class. */
export interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<unknown> };
}

export async function* readEvents(stream: ByteStream): AsyncGenerator<ServerSentEvent, void, undefined> {
  const pending = new PendingEvent();
  for await (const line of readLines(stream)) {
    const event = pending.add(line);
    if (event) yield event;
  }
}

/** Lines end with CRLF, LF or CR, and any of them may come in two chunks. */
async function* readLines(stream: ByteStream): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // A CR at the end of a chunk may be the first half of CRLF: it waits.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) return;
    }
  } finally {
    // Frees the connection when the reader of events has what it wants. The cancelling of a broken stream fails with what `read` has told already.
    await reader.cancel().catch(() => undefined);
  }
}

class PendingEvent {
  #event = '';
  #data: string[] = [];

  /** The event that an empty line ends; one without data is none. */
  add(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    return undefined;
  }

  #end(): ServerSentEvent | undefined {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    return data.length > 0 ? { event, data: data.join('\n') } : undefined;
  }
}

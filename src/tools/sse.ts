/**
 * Reads server-sent events from a stream of bytes.
 *
 * Shape:  `{event, data}`; `event` defaults to `message`, lines of `data` are joined by a line feed. `id` and `retry` are ignored: a call
 *         is resumed by its idempotency key.
 * Errors: rejects with the error of the stream. An incomplete event at the end of the stream is dropped.
 * Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
 */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/** The part of a `ReadableStream` that is used: not every `fetch` returns the platform's own class. */
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

/** Lines end with CRLF, LF or CR, and a line or its end may span two chunks. */
async function* readLines(stream: ByteStream): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // A CR at the end of a chunk may be the first half of CRLF: wait for the next chunk.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) return;
    }
  } finally {
    // Frees the connection when the reader stops. Cancelling a broken stream fails with the error that `read` has thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

class PendingEvent {
  #event = '';
  #data: string[] = [];

  /** The event that an empty line ends; undefined if it has no data. */
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

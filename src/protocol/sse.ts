/**
 * Reads server-sent events from a stream of bytes.
 *
 * Shape:  `{event, data}`; `event` defaults to `message`, lines of `data` are joined by a line feed. `id` and `retry` are ignored: a call
 *         is resumed by its idempotency key.
 * Errors: rejects with the error of the stream, and with AnswerTooLarge for an endless event. An incomplete event at the end of the stream is
 *         dropped.
 * Source: HTML Living Standard, section 9.2.6, "Interpreting an event stream".
 */
import { AnswerTooLarge, type ByteStream, MAX_ANSWER_BYTES, readChunks } from './byte-stream';

/** Bytes that a line takes beside its characters. */
const LINE_COST = 64;

export interface ServerSentEvent {
  event: string;
  data: string;
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
  const decoder = new TextDecoder();
  let rest = '';
  let isAfterCr = false;
  for await (const piece of readChunks(stream)) {
    const chunk = decoder.decode(piece, { stream: true });
    if (chunk === '') continue;
    // The other half of a CRLF, whose line has ended already.
    const [first = '', ...others] = (isAfterCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk).split(/\r\n|\n|\r/);
    isAfterCr = chunk.endsWith('\r');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
  }
}

class PendingEvent {
  #event = '';
  #data: string[] = [];
  #length = 0;

  /** The event that an empty line ends; undefined if it has no data. */
  add(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#addData(value);
    return undefined;
  }

  #addData(line: string): void {
    this.#length += line.length + LINE_COST;
    if (this.#length > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
    this.#data.push(line);
  }

  #end(): ServerSentEvent | undefined {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    this.#length = 0;
    return data.length > 0 ? { event, data: data.join('\n') } : undefined;
  }
}

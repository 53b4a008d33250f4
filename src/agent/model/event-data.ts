/**
 * Reads the data of server-sent events.
 *
 * Shape:  one text per event, its lines of `data` joined by a line feed. An incomplete event at the end is dropped.
 * Errors: rejects with the error of the stream.
 * Source: HTML Living Standard, section 9.2.6. The client's own reader is not part of its public door.
 */
import type { ByteStream } from 'svc-sdk';

export async function* readEventData(stream: ByteStream): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      // A CR at the end of a chunk may be the first half of CRLF: it waits for the next chunk.
      const events = rest.replace(/\r\n|\r(?!$)/g, '\n').split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
        if (data.length > 0) yield data.join('\n');
      }
      if (done) return;
    }
  } finally {
    // Frees the connection. Cancelling a broken stream fails with the error that `read` has thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Bodies of answers, read up to a limit. A few compressed bytes may hold gigabytes, so bytes are counted after decompression.
 *
 * Errors: AnswerTooLarge, and those of the stream. The rest of the body is cancelled.
 */

/** The part of a `ReadableStream` that is used: not every `fetch` returns the platform's own class. */
export interface ByteStream {
  getReader(): ByteReader;
}

interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}

/** The most that a client reads of one answer, or of one event of a stream. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export class AnswerTooLarge extends Error {
  constructor(maxBytes: number = MAX_ANSWER_BYTES) {
    super(`the answer has more than ${maxBytes / 1024 / 1024} MiB, the limit of a client`);
  }
}

/** The stream, which fails as soon as it has brought more than the limit. */
export function limitStream(stream: ByteStream, maxBytes: number = MAX_ANSWER_BYTES): ByteStream {
  let bytes = 0;
  return {
    getReader() {
      const reader = stream.getReader();
      return {
        async read() {
          const piece = await reader.read();
          bytes += piece.value?.byteLength ?? 0;
          if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes);
          return piece;
        },
        cancel: () => reader.cancel(),
      };
    },
  };
}

/** @param response of a `fetch`; React Native's has no stream, and others a stream of Node */
export async function readBodyText(response: { body?: Partial<ByteStream> | null; text(): Promise<string> }): Promise<string> {
  const { body } = response;
  if (!body?.getReader) return checkLength(await response.text());
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of readChunks(limitStream(body as ByteStream))) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

export async function* readChunks(stream: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) yield value;
      if (done) return;
    }
  } finally {
    // Frees the connection when the reader stops. Cancelling a broken stream fails with the error that `read` has thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

function checkLength(text: string): string {
  if (text.length > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
  return text;
}

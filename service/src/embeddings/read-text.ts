import { EmbeddingFailure } from './embedding-failure';

/** Reads the body of an answer. Rejects with EmbeddingFailure when the body has more than `maxBytes` or is incomplete. */
export async function readText({ body, status }: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body ?? []) {
      bytes += piece.length;
      // Leaving the loop cancels the rest of the answer.
      if (bytes > maxBytes) throw new EmbeddingFailure('NO_EMBEDDINGS', { status, said: `more than ${maxBytes} bytes` });
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof EmbeddingFailure) throw error;
    throw new EmbeddingFailure('UNREACHABLE', { status, said: (error as Error).message });
  }
  return Buffer.concat(pieces).toString();
}

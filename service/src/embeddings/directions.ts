/**
 * Quantises embeddings to directions: whole numbers from -127 to 127, so that a vector of 1,536 numbers is 1.5 kB instead of 6. The cosine
 * of two directions differs from the cosine of their embeddings in the third or fourth digit.
 *
 * Errors: EmbeddingFailure for a wrong number of vectors, a wrong size, or a value that is not a number.
 */
import { EmbeddingFailure } from './embedding-failure';

/** The length of a direction has no meaning. */
export type Direction = Int8Array<ArrayBuffer>;

const LARGEST = 127;

/** @param expected the number of vectors, and their size if known */
export function toDirections(
  embeddings: readonly unknown[],
  { count, dimensions }: { count: number; dimensions: number | undefined },
): Direction[] {
  if (embeddings.length !== count) throw new EmbeddingFailure('WRONG_COUNT', { said: `${embeddings.length} instead of ${count}` });
  const directions = Array.from(embeddings, toDirection);
  requireSize(directions, dimensions ?? directions[0]?.length);
  return directions;
}

export function requireSize(directions: readonly Direction[], size: number | undefined): void {
  const misfit = directions.find(({ length }) => length !== size);
  if (misfit) throw new EmbeddingFailure('WRONG_SIZE', { said: `${misfit.length} instead of ${size}` });
}

function toDirection(embedding: unknown): Direction {
  if (!Array.isArray(embedding)) throw new EmbeddingFailure('NO_DIRECTION');
  let largest = 0;
  for (const number of embedding) {
    if (!Number.isFinite(number)) throw new EmbeddingFailure('NO_DIRECTION');
    largest = Math.max(largest, Math.abs(number));
  }
  if (largest === 0) throw new EmbeddingFailure('NO_DIRECTION');
  const direction = new Int8Array(embedding.length);
  // Divide first: for numbers below 1e-306, `LARGEST / largest` would overflow.
  for (let i = 0; i < direction.length; i++) direction[i] = Math.round((embedding[i] / largest) * LARGEST);
  return direction;
}

/** Vectors of a whole catalogue and its queries, from an OpenAI-compatible server, as a service with embeddings would hold them. */
import type { Command } from 'commander';
import type { Meaning, SearchDocument } from '../../service/src/catalog/search/index.ts';
import { actionText, cutText } from '../../service/src/embeddings/action-text.ts';
import type { Direction } from '../../service/src/embeddings/directions.ts';
import { EmbeddingCalls } from '../../service/src/embeddings/embedding-calls.ts';
import { NEAREST } from '../../service/src/embeddings/embeddings.ts';
import { readEmbeddingsOptions } from '../../service/src/embeddings/options.ts';
import { VectorIndex } from '../../service/src/embeddings/vector-index.ts';

const BATCH = 32;
const TIMEOUT_MS = 600_000;

export interface EmbeddingsFlags {
  /** An OpenAI-compatible server. Default: rank by words alone. */
  embeddingsUrl?: string;
  embeddingsModel: string;
}

export function withEmbeddings(command: Command): Command {
  return command
    .option('--embeddings-url <url>', 'rank by meaning too, with the vectors of this OpenAI-compatible server')
    .option('--embeddings-model <name>', 'the model of --embeddings-url', 'default');
}

/** The nearness in each catalogue to its queries. Undefined without a server. Rejects with EmbeddingFailure. */
export async function meaningsOf(
  catalogues: readonly { documents: readonly SearchDocument[]; questions: readonly { query: string }[] }[],
  { embeddingsUrl: url, embeddingsModel: model }: EmbeddingsFlags,
): Promise<((query: string) => Meaning)[] | undefined> {
  if (url === undefined) return undefined;
  const vectors = new Vectors({ url, model });
  for (const { documents, questions } of catalogues) {
    const queries = questions.map(({ query }) => query);
    await vectors.load(documents, queries);
  }
  return catalogues.map(({ documents }) => vectors.among(documents));
}

class Vectors {
  readonly #calls: EmbeddingCalls;
  /** Text -> direction. */
  readonly #known = new Map<string, Direction>();

  constructor(server: { url: string; model: string }) {
    this.#calls = new EmbeddingCalls(readEmbeddingsOptions(server).embedder);
  }

  /** Rejects with EmbeddingFailure. */
  async load(documents: readonly SearchDocument[], queries: readonly string[]): Promise<void> {
    const texts = [...new Set([...documents.map(actionText), ...queries.map(cutText)])].filter((text) => !this.#known.has(text));
    for (let start = 0; start < texts.length; start += BATCH) {
      const batch = texts.slice(start, start + BATCH);
      const directions = await this.#calls.embed(batch, { timeoutMs: TIMEOUT_MS, dimensions: undefined });
      for (const [place, text] of batch.entries()) this.#known.set(text, directions[place] as Direction);
    }
  }

  /** Returns the nearness of loaded documents to loaded queries. */
  among(documents: readonly SearchDocument[]): (query: string) => Meaning {
    const index = new VectorIndex();
    for (const document of documents) index.set(document.id, this.#directionOf(actionText(document)));
    return (query) => {
      const direction = this.#directionOf(cutText(query));
      return { nearest: index.search(direction, { limit: NEAREST }), cosine: (id) => index.cosine(id, direction) };
    };
  }

  #directionOf(text: string): Direction {
    return this.#known.get(text) as Direction;
  }
}

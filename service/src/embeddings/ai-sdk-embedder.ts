/** Uses an embedding model of the AI SDK, of specification v2, v3 or v4, which have the same `doEmbed`. */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { CALLS_AT_ONCE, type Embedder, TEXTS_PER_CALL } from './embedder';
import { EmbeddingFailure, failureOfStatus } from './embedding-failure';

type MaybePromise<T> = PromiseLike<T> | T;

/** The common shape of `EmbeddingModelV2`, `V3` and `V4`. Declared here, so that `@ai-sdk/provider` need not be installed. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: MaybePromise<number | undefined>;
  readonly supportsParallelCalls: MaybePromise<boolean>;
  /** Only v4 reads `dimensions`; v2 and v3 ignore it. */
  doEmbed(options: { values: string[]; abortSignal?: AbortSignal; dimensions?: number }): PromiseLike<{ embeddings: number[][] }>;
}

export class AiSdkEmbedder implements Embedder {
  readonly #model: EmbeddingModel;
  readonly dimensions: number | undefined;

  constructor(model: EmbeddingModel, dimensions: number | undefined) {
    this.#model = model;
    this.dimensions = dimensions;
  }

  get model(): string {
    return `${this.#model.provider}/${this.#model.modelId}`;
  }

  async limits(): Promise<{ texts: number; calls: number }> {
    const most = (await this.#model.maxEmbeddingsPerCall) ?? TEXTS_PER_CALL;
    return { texts: Math.min(most, TEXTS_PER_CALL), calls: (await this.#model.supportsParallelCalls) ? CALLS_AT_ONCE : 1 };
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> {
    const { dimensions } = this;
    try {
      const options = { values: [...texts], abortSignal: signal, ...(dimensions !== undefined && { dimensions }) };
      return (await this.#model.doEmbed(options)).embeddings;
    } catch (error) {
      throw toFailure(error);
    }
  }
}

/** `APICallError` has `statusCode` and `responseHeaders`. Its other fields quote texts and answers, so only its name is kept. */
function toFailure(error: unknown): EmbeddingFailure {
  const { name, statusCode, responseHeaders }: JsonObject = isObject(error) ? error : {};
  // An error with a status below 300 means that the provider could not parse the answer.
  if (typeof statusCode === 'number' && statusCode >= 300)
    return failureOfStatus(statusCode, { said: String(name), retryAfter: retryAfterOf(responseHeaders) });
  return new EmbeddingFailure(typeof statusCode === 'number' && statusCode >= 200 ? 'NO_EMBEDDINGS' : 'UNREACHABLE', {
    said: String(name),
  });
}

function retryAfterOf(headers: unknown): string | undefined {
  const retryAfter = isObject(headers) ? headers['retry-after'] : undefined;
  return typeof retryAfter === 'string' ? retryAfter : undefined;
}

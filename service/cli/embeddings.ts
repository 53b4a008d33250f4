/** The flags of `svc-service serve` that turn embeddings on. The key has no flag: other users can read a command line. */
import type { EmbeddingsOptions } from 'svc-service';
import { UsageError } from '#sdk/cli/usage-error';

export interface EmbeddingsFlags {
  embeddingsUrl?: string;
  embeddingsModel?: string;
  embeddingsDimensions?: number;
  embeddingsDeadlineMs?: number;
}

/** Undefined without such a flag. Throws UsageError if one of the two required flags is missing. */
export function embeddingsOf(flags: EmbeddingsFlags): EmbeddingsOptions | undefined {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsDimensions: dimensions, embeddingsDeadlineMs: deadlineMs } = flags;
  if ([url, model, dimensions, deadlineMs].every((flag) => flag === undefined)) return undefined;
  if (url === undefined || model === undefined) throw new UsageError('Embeddings need both --embeddings-url and --embeddings-model');
  return { url, model, dimensions, deadlineMs, apiKey: process.env.SVC_EMBEDDINGS_API_KEY || undefined };
}

/** The operator's options of embeddings, parsed and checked before the service starts. */
import { SvcError } from '#sdk/protocol/errors';
import { AiSdkEmbedder, type EmbeddingModel } from './ai-sdk-embedder';
import type { Embedder } from './embedder';
import { OpenAiEmbedder } from './openai-embedder';

export type EmbeddingsOptions = (ServedModel | GivenModel) & {
  /** Numbers in a vector, requested from the model and required in its answers. Default: the model's own size. */
  dimensions?: number | undefined;
  /** Milliseconds that a search waits for the vector of its query before it ranks by words alone. Default: 300. */
  deadlineMs?: number | undefined;
};

/** A model behind an OpenAI-compatible API: OpenAI, Ollama, vLLM, LM Studio, llama.cpp, … */
interface ServedModel {
  /** Base URL, such as `http://localhost:11434/v1`, without credentials. */
  url: string;
  /** The model's name at the server. */
  model: string;
  /** Sent as bearer token. Default: no token. */
  apiKey?: string | undefined;
}

/** An embedding model of the AI SDK. */
interface GivenModel {
  model: EmbeddingModel;
  url?: undefined;
  apiKey?: undefined;
}

export interface EmbeddingsSettings {
  embedder: Embedder;
  deadlineMs: number;
}

const DEFAULT_DEADLINE_MS = 300;
const MAX_DEADLINE_MS = 10_000;
/** The sum of int8 products of so many dimensions fits into an int32. */
const MAX_DIMENSIONS = 16_384;

/** Throws SvcError INVALID_REQUEST; its message never holds the key or a URL with credentials. */
export function readEmbeddingsOptions({ model, url, apiKey, ...options }: EmbeddingsOptions): EmbeddingsSettings {
  const { dimensions, deadlineMs = DEFAULT_DEADLINE_MS } = options;
  if (dimensions !== undefined) checkWholeNumber('dimensions', dimensions, MAX_DIMENSIONS);
  checkWholeNumber('deadlineMs', deadlineMs, MAX_DEADLINE_MS);
  if (typeof model !== 'string') {
    if (typeof model?.doEmbed !== 'function')
      throw invalid('embeddings.model must be the name of a model, with embeddings.url, or an embedding model of the AI SDK');
    if (url !== undefined || apiKey !== undefined)
      throw invalid('embeddings.url and embeddings.apiKey go with a model by name; an AI SDK model has its own');
    return { embedder: new AiSdkEmbedder(model, dimensions), deadlineMs };
  }
  if (model.trim() === '') throw invalid('embeddings.model is empty: name a model of the server');
  return { embedder: new OpenAiEmbedder({ url: endpoint(url), model, apiKey: checkKey(apiKey), dimensions }), deadlineMs };
}

function endpoint(base: string | undefined): string {
  const url = base === undefined ? null : URL.parse(base);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid('embeddings.url must be the base URL of an OpenAI-compatible API, such as https://api.openai.com/v1');
  if (url.username || url.password || url.search || url.hash)
    throw invalid(
      'embeddings.url must be without credentials, query and fragment: the key goes into embeddings.apiKey (SVC_EMBEDDINGS_API_KEY)',
    );
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  return url.href;
}

/** The error of `fetch` for an invalid key would show the key. */
function checkKey(apiKey: string | undefined): string | undefined {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid('embeddings.apiKey is empty or holds spaces, line ends or other characters that a key cannot have; paste it again');
  return apiKey;
}

function checkWholeNumber(name: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw invalid(`embeddings.${name} must be a whole number from 1 to ${most}, not ${value}`);
}

function invalid(message: string): SvcError {
  return new SvcError('INVALID_REQUEST', message);
}

/**
 * `POST <base>/embeddings` of an OpenAI-compatible server.
 *
 * Source: https://platform.openai.com/docs/api-reference/embeddings/create. Vectors have an `index` and may be in any order.
 */
import { CALLS_AT_ONCE, type Embedder, TEXTS_PER_CALL } from './embedder';
import { EmbeddingFailure, failureOfStatus } from './embedding-failure';
import { readText } from './read-text';

export interface OpenAiEmbedderOptions {
  /** The endpoint itself. */
  url: string;
  model: string;
  apiKey: string | undefined;
  dimensions: number | undefined;
}

/** A vector of 4,096 numbers with all digits is 90 kB of JSON. */
const MAX_ANSWER_BYTES_PER_TEXT = 256 * 1024;
const MAX_SAID_CHARS = 300;

export class OpenAiEmbedder implements Embedder {
  readonly #options: OpenAiEmbedderOptions;

  constructor(options: OpenAiEmbedderOptions) {
    this.#options = options;
  }

  get model(): string {
    return this.#options.model;
  }

  get dimensions(): number | undefined {
    return this.#options.dimensions;
  }

  async limits(): Promise<{ texts: number; calls: number }> {
    return { texts: TEXTS_PER_CALL, calls: CALLS_AT_ONCE };
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> {
    const response = await this.#post(texts, signal);
    const body = await readText(response, texts.length * MAX_ANSWER_BYTES_PER_TEXT);
    const { status, headers } = response;
    if (!response.ok) throw failureOfStatus(status, { ...this.#errorTextOf(status, body), retryAfter: headers.get('retry-after') });
    return inOrder(parseJson(body));
  }

  async #post(texts: readonly string[], signal: AbortSignal): Promise<Response> {
    const { url, model, apiKey, dimensions } = this.#options;
    const headers = { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) };
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions !== undefined && { dimensions }) });
    try {
      // A redirect would send the texts, and perhaps the key, to an address that the operator did not name.
      return await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    } catch (error) {
      const { message } = ((error as Error).cause ?? error) as Error;
      throw new EmbeddingFailure('UNREACHABLE', { said: message });
    }
  }

  /** Servers often quote a refused key, so the text of a 401 or 403 is dropped. */
  #errorTextOf(status: number, body: string): { said?: string } {
    if (status === 401 || status === 403) return {};
    const { error, message } = (parseJson(body) ?? {}) as { error?: { message?: unknown } | string; message?: unknown };
    const said = typeof error === 'object' ? error?.message : (error ?? message);
    if (typeof said !== 'string') return {};
    const { apiKey } = this.#options;
    return { said: (apiKey === undefined ? said : said.replaceAll(apiKey, '[key]')).slice(0, MAX_SAID_CHARS) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // HTML, or an incomplete answer: the caller treats both as an answer without data.
    return undefined;
  }
}

function inOrder(body: unknown): readonly unknown[] {
  const data: unknown = (body as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) throw new EmbeddingFailure('NO_EMBEDDINGS');
  const embeddings = new Array<unknown>(data.length);
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index === 'number' && index in data) embeddings[index] = embedding;
  }
  return embeddings;
}

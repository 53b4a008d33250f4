/**
 * Reads one turn from the answer of a model: server-sent events with chunks of a chat completion, or one completion as JSON.
 *
 * Errors: ModelFailure for any other answer, and for a stream that breaks off before its end.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { readEvents } from '#sdk/protocol/sse';
import { type ModelCall, ModelFailure, type ModelTurn, type TurnUsage } from './turn';

/** @param where the model's address, for the words of errors */
export async function readTurn(response: Response, where: string, onText: (piece: string) => void): Promise<ModelTurn> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok) throw await refusalOf(response, where);
  if (type.includes('text/html'))
    throw new ModelFailure(`${where} answered with a web page and not as a model. Check the address: it usually ends in /v1.`);
  if (type.includes('json')) return wholeTurn(await response.json().catch(() => undefined), where, onText);
  if (!response.body) throw new ModelFailure(`${where} sent an empty answer.`);
  const turn = new GrowingTurn(onText);
  const events = readEvents(response.body);
  try {
    for await (const { data } of events) {
      if (data === '[DONE]') {
        turn.isEnded = true;
        break;
      }
      turn.add(chunkOf(data, where), where);
    }
  } catch (error) {
    if (error instanceof ModelFailure || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw new ModelFailure(`The connection to ${where} broke in the middle of the answer. Try again.`);
  }
  if (!turn.isEnded) throw new ModelFailure(`${where} stopped in the middle of its answer. Try again.`);
  return turn.done();
}

class GrowingTurn {
  isEnded = false;
  #text = '';
  #usage: TurnUsage | undefined;
  /** The calls by index: a model may send any number for one. */
  readonly #calls = new Map<number, ModelCall>();
  readonly #onText: (piece: string) => void;

  constructor(onText: (piece: string) => void) {
    this.#onText = onText;
  }

  add(chunk: JsonObject, where: string): void {
    if (isObject(chunk.error)) throw new ModelFailure(`${where} says: ${wordsOf(chunk) || 'an error without words'}`);
    this.#usage = usageOf(chunk.usage) ?? this.#usage;
    const [choice] = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
    if (!isObject(choice)) return;
    if (typeof choice.finish_reason === 'string') this.isEnded = true;
    const { delta } = choice;
    if (!isObject(delta)) return;
    if (typeof delta.content === 'string' && delta.content !== '') {
      this.#text += delta.content;
      this.#onText(delta.content);
    }
    for (const piece of Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]) : []) if (isObject(piece)) this.#addCall(piece);
  }

  done(): ModelTurn {
    const calls = [...this.#calls].sort(([one], [other]) => one - other).map(([, call]) => call);
    return { text: this.#text, calls, usage: this.#usage };
  }

  /** Some servers send no index: a piece with an id then begins another call. */
  #addCall({ index, id, function: called }: JsonObject): void {
    const last = Math.max(0, this.#calls.size - (typeof id === 'string' && id !== '' ? 0 : 1));
    const at = typeof index === 'number' ? index : last;
    const call = this.#calls.get(at) ?? newCall();
    this.#calls.set(at, call);
    if (typeof id === 'string' && id !== '') call.id = id;
    if (!isObject(called)) return;
    if (typeof called.name === 'string') call.function.name += called.name;
    if (typeof called.arguments === 'string') call.function.arguments += called.arguments;
  }
}

function newCall(): ModelCall {
  return { id: `call_${crypto.randomUUID().replaceAll('-', '')}`, type: 'function', function: { name: '', arguments: '' } };
}

/** A server that does not stream. */
function wholeTurn(body: unknown, where: string, onText: (piece: string) => void): ModelTurn {
  const [choice] = isObject(body) && Array.isArray(body.choices) ? (body.choices as unknown[]) : [];
  if (!isObject(body) || !isObject(choice) || !isObject(choice.message))
    throw new ModelFailure(`${where} answered with JSON that is not a chat completion. Check the address: it usually ends in /v1.`);
  const turn = new GrowingTurn(onText);
  turn.add({ ...body, choices: [{ delta: choice.message }] }, where);
  return turn.done();
}

function chunkOf(data: string, where: string): JsonObject {
  try {
    const chunk: unknown = JSON.parse(data);
    if (isObject(chunk)) return chunk;
  } catch {
    // The error below is for both.
  }
  throw new ModelFailure(`${where} sent something in its stream that is not JSON: ${JSON.stringify(data.slice(0, 80))}`);
}

async function refusalOf(response: Response, where: string): Promise<ModelFailure> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const words = wordsOf(body);
  const said = words === '' ? '' : ` It says: ${words}`;
  if (status === 401 || status === 403) return new ModelFailure(`${where} refuses the key (${status}). Check it on the left.${said}`);
  if (status === 404)
    return new ModelFailure(`${where} has no chat completions or not this model (404). The address usually ends in /v1.${said}`);
  return new ModelFailure(`${where} answered with status ${status}.${said}`);
}

/** The words of an error: OpenAI's shape, or a problem document of this service. */
function wordsOf(body: unknown): string {
  if (!isObject(body)) return '';
  const { error, detail } = body;
  const words = isObject(error) ? error.message : (error ?? detail);
  return typeof words === 'string' ? words.slice(0, 300) : '';
}

function usageOf(usage: unknown): TurnUsage | undefined {
  if (!isObject(usage) || typeof usage.prompt_tokens !== 'number') return undefined;
  const { prompt_tokens_details: details, completion_tokens: output } = usage;
  const cached = isObject(details) && typeof details.cached_tokens === 'number' ? details.cached_tokens : 0;
  return { input: usage.prompt_tokens, cached, output: typeof output === 'number' ? output : 0 };
}

/**
 * `/v1/playground`: what the playground of the console may use here, and the operator's model for it. The browser makes the conversation; this route
 * only passes a turn on, so that the key of the model stays in this process.
 *
 * Errors: a failure of the model says its status, and the model's own words unless it refused the key, which such words may quote.
 */
import * as z from 'zod';
import { modelTurn, nothingFits, nothingFitsCounted, playgroundInfo } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import type { PlaygroundOptions } from '../../accounts/console-options';
import type { Principal } from '../../accounts/principal';
import { cleanQuery } from '../../catalog/answer/index';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { requireKey } from './visibility';

/** Until the first byte of an answer. */
const FIRST_BYTE_MS = 120_000;
const WORDS_CHARS = 500;
const ERROR_CHARS = 16_384;
const BROKEN = 'The connection to the model broke in the middle of its answer';

const errorBody = z.object({ error: z.object({ message: z.string() }) });

export const playgroundRoutes = [
  defineRoute({
    id: 'getPlayground',
    summary: 'Whether there is a model for the playground, and whether programs run',
    method: 'GET',
    path: '/v1/playground',
    access: 'person',
    answer: playgroundInfo,
    handle({ principal }, { playground, runs }: AdminRouteDeps) {
      const isOpen = playground !== undefined && mayUse(principal, playground);
      return { code: runs !== undefined, ...(isOpen && { model: playground.model }) };
    },
  }),
  defineRoute({
    id: 'askPlaygroundModel',
    summary: "One turn of the operator's model for the playground, as a stream of chat completion chunks",
    method: 'POST',
    path: '/v1/playground/model',
    access: 'person',
    limit: 'model',
    body: modelTurn,
    stream: { 'text/event-stream': 'The chunks of the model, as it sends them' },
    async handle({ context, principal, body }, { playground }: AdminRouteDeps) {
      if (!playground)
        throw new SvcError('NOT_FOUND', 'This service has no model for the playground: its operator sets one with --playground-model-url');
      if (!mayUse(principal, playground))
        throw new SvcError('NOT_PERMITTED', "Only owners may use this service's model. Enter the address and the key of your own");
      const answer = await askModel(playground, body, context.req.raw.signal);
      return new Response(passOn(answer), {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      });
    },
  }),
  defineRoute({
    id: 'reportNothingFits',
    summary: 'Count a wish of which no action was found as demand of the key',
    method: 'POST',
    path: '/v1/keys/{id}/nothing-fits',
    access: 'person',
    limit: 'call-as-key',
    body: nothingFits,
    answer: nothingFitsCounted,
    async handle({ principal, params, body }, { keys, searches, limits, records }: AdminRouteDeps) {
      const key = await keys.again(await requireKey(principal, keys, params.id), 'agent');
      searches.searched({ keyId: key.id, query: cleanQuery(body.query, limits.queryChars).text, shown: [], previousId: undefined });
      return { counted: records.settings.searchTexts !== 'off' };
    },
  }),
] as const;

function mayUse({ role }: Principal, { openTo }: PlaygroundOptions): boolean {
  return role === 'owner' || openTo === 'everyone';
}

/** Rejects with SERVICE_UNAVAILABLE unless the model begins a stream. */
async function askModel(options: PlaygroundOptions, turn: z.output<typeof modelTurn>, leaves: AbortSignal): Promise<Response> {
  const begins = new AbortController();
  const timer = setTimeout(() => begins.abort(), FIRST_BYTE_MS);
  try {
    const answer = await sendTurn(options, turn, AbortSignal.any([begins.signal, leaves]));
    const type = answer.headers.get('content-type') ?? 'no content type';
    if (answer.ok && type.startsWith('text/event-stream')) return answer;
    throw failed(await faultOf(answer, type, options.modelKey));
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw failed(begins.signal.aborted ? `did not begin to answer in ${FIRST_BYTE_MS / 1_000} s` : 'cannot be reached from this service');
  } finally {
    clearTimeout(timer);
  }
}

/** The HTTP server would write the error of a broken stream to the console, and into the stream. */
function passOn({ body }: Response): ReadableStream<Uint8Array> | null {
  if (!body) return null;
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.enqueue(Buffer.from(`\n\ndata: ${JSON.stringify({ error: { message: BROKEN } })}\n\n`));
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function sendTurn({ modelUrl, modelKey, model }: PlaygroundOptions, turn: z.output<typeof modelTurn>, signal: AbortSignal) {
  return fetch(`${modelUrl.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(modelKey !== undefined && { authorization: `Bearer ${modelKey}` }) },
    body: JSON.stringify({ ...turn, model, stream: true, stream_options: { include_usage: true } }),
    signal,
    redirect: 'error',
  });
}

function failed(what: string): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', `The model of this service ${what}`, { retryable: true });
}

async function faultOf(answer: Response, type: string, modelKey: string | undefined): Promise<string> {
  const words = answer.ok ? '' : wordsOf(await startOf(answer), modelKey);
  // The rest of a long or endless body is not read.
  if (!answer.bodyUsed) await answer.body?.cancel();
  if (answer.ok) return `answered with ${type.slice(0, 60)} in place of a stream of events`;
  if (answer.status === 401 || answer.status === 403)
    return `refused the key of this service (${answer.status}): the operator sets it with SVC_PLAYGROUND_MODEL_KEY`;
  return `answered ${answer.status}${words === '' ? '' : `: ${words}`}`;
}

/** More is not the message of an error. Leaving the loop cancels the rest. */
async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > ERROR_CHARS) break;
  }
  return text;
}

/** The message of an error of OpenAI's shape; '' for anything else, such as a page. */
function wordsOf(text: string, modelKey: string | undefined): string {
  let message: string;
  try {
    ({ message } = errorBody.parse(JSON.parse(text)).error);
  } catch {
    return '';
  }
  // Before the cut, which could leave a part of the key.
  return (modelKey === undefined ? message : message.replaceAll(modelKey, '[key]')).slice(0, WORDS_CHARS);
}

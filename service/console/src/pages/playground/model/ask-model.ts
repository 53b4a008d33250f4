/** Asks the chosen model for its next turn. */
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { ModelChoice, OwnModel } from './model-choice';
import { readTurn } from './read-turn';
import { ModelFailure, type ModelTurn, type TurnOptions, type TurnRequest } from './turn';

/** A model that sends nothing for so long is given up. */
const SILENCE_MS = 60_000;

/** Rejects with ModelFailure, or with the reason of the signal. */
export async function askModel(choice: ModelChoice, request: TurnRequest, { signal, onText }: TurnOptions): Promise<ModelTurn> {
  if (choice.kind === 'script') return (await import('./scripted-turn')).scriptedTurn(request, onText);
  const where = choice.kind === 'own' ? hostOf(choice) : 'The model of this service';
  const silence = new AbortController();
  const begin = () => setTimeout(() => silence.abort(), SILENCE_MS);
  let timer = begin();
  const heard = (piece: string) => {
    clearTimeout(timer);
    timer = begin();
    onText(piece);
  };
  try {
    const response = await send(choice, request, AbortSignal.any([signal, silence.signal]));
    return await readTurn(response, where, heard);
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new ModelFailure(`${where} sent nothing for ${SILENCE_MS / 1_000} seconds. Try again.`);
    if (error instanceof ModelFailure) throw error;
    throw new ModelFailure(
      `${where} cannot be reached from this browser. Either the address is wrong, or nothing runs there, or it does not allow pages of ${location.origin} (CORS).`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function send(choice: Exclude<ModelChoice, { kind: 'script' }>, request: TurnRequest, signal: AbortSignal): Promise<Response> {
  const post = { method: 'POST', signal, redirect: 'error' } as const;
  const json = { 'content-type': 'application/json' };
  if (choice.kind === 'service') return fetch(`${ADMIN_PATHS.playground}/model`, { ...post, headers: json, body: JSON.stringify(request) });
  const body = JSON.stringify({ model: choice.model, ...request, stream: true, stream_options: { include_usage: true } });
  return fetch(`${choice.url.trim().replace(/\/+$/, '')}/chat/completions`, {
    ...post,
    // The address may belong to anyone: no cookie of this service goes there.
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { ...json, ...(choice.key !== '' && { authorization: `Bearer ${choice.key}` }) },
    body,
  });
}

/** @throws ModelFailure for a text that is not an address */
function hostOf({ url, model }: OwnModel): string {
  if (!/^https?:\/\//.test(url.trim()) || !URL.canParse(url.trim()))
    throw new ModelFailure('Enter the address of the model, such as https://api.openai.com/v1.');
  if (model.trim() === '') throw new ModelFailure('Enter the name of the model, such as gpt-6-mini.');
  return new URL(url.trim()).host;
}

/**
 * A model on loopback that gives the answers of a script, in order: `POST /script` with a list of them. Without a script it counts, as
 * bench/agent/counting.ts says. `GET /requests` returns the bodies of the requests to the model.
 */
import { startCountingModel } from '../../bench/agent/counting-model.ts';
import { type JsonAnswer, startJsonServer } from './json-server.ts';

/** A message of the model as its server sends it, or an answer of that server. */
export type ScriptedAnswer = { message: object } | { status: number; headers?: Record<string, string>; body?: unknown };

export interface ScriptModel {
  origin: string;
  /** The address for `OPENAI_BASE_URL`. */
  baseUrl: string;
  requests: readonly unknown[];
  /** Appended to the rest of an earlier script. */
  add(script: readonly ScriptedAnswer[]): void;
  close(): Promise<void>;
}

export async function startScriptModel(): Promise<ScriptModel> {
  const counting = await startCountingModel();
  const script: ScriptedAnswer[] = [];
  const requests: unknown[] = [];
  const add = (answers: readonly ScriptedAnswer[]) => void script.push(...answers);
  const server = await startJsonServer({
    'POST /script': (body) => {
      if (!Array.isArray(body)) throw new Error('A script is a list of {message} and {status, headers, body}');
      add(body);
      return {};
    },
    'GET /requests': () => ({ body: requests }),
    'POST /v1/chat/completions': (body) => {
      requests.push(body);
      const next = script.shift();
      return next ? toAnswer(next) : forward(`${counting.baseURL}/chat/completions`, body);
    },
  });
  return {
    origin: server.origin,
    baseUrl: `${server.origin}/v1`,
    requests,
    add,
    async close() {
      await Promise.all([server.close(), counting.close()]);
    },
  };
}

function toAnswer(next: ScriptedAnswer): JsonAnswer {
  return 'message' in next ? { body: { choices: [{ message: next.message }] } } : next;
}

async function forward(address: string, body: unknown): Promise<JsonAnswer> {
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  const contentType = answer.headers.get('content-type') ?? 'application/json';
  return { status: answer.status, headers: { 'content-type': contentType }, body: await answer.text() };
}

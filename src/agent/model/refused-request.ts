/** The error for a failed answer, with the setting that fixes the failure. */
import type { FetchResponse } from 'svc-sdk';
import { readBodyText } from '../../protocol/byte-stream';
import { excerptOf } from './excerpt';
import { ModelRequestError } from './model-request-error';
import type { ModelServer } from './providers';
import { readServerWait } from './server-wait';
import { isTooLong } from './too-long';
import { objectMembers } from './unchecked-json';

export async function readRefusal(response: FetchResponse, server: ModelServer): Promise<ModelRequestError> {
  const { status, headers, body } = response;
  const place = new URL(server.url).host;
  if (status < 400) {
    await body?.cancel().catch(() => undefined);
    // Redirects are not followed, so that the key is not sent to another server.
    return new ModelRequestError(`${place} answered ${status}, which is not an answer of chat completions. Check the address.`, {
      status: 502,
    });
  }
  const text = await readBodyText(response).catch(() => '');
  const retryAfterMs = readServerWait((name) => headers.get(name));
  return refusal(server, { status, text, retryAfterMs });
}

/** Reads an error in an answer with status 200, whole or streamed, such as OpenRouter's `{error: {code, message}}`. */
export function readErrorMember(error: unknown, server: ModelServer): ModelRequestError {
  const code = Number(objectMembers(error).code ?? objectMembers(error).status_code);
  return refusal(server, { status: code >= 400 && code < 600 ? code : 502, text: JSON.stringify({ error }) });
}

interface Refusal {
  status: number;
  text: string;
  retryAfterMs?: number | undefined;
}

function refusal(server: ModelServer, { status, text, retryAfterMs }: Refusal): ModelRequestError {
  const said = excerptOf(messageIn(text), server.key);
  const what = `${new URL(server.url).host} answered ${status}${said && `: ${said}`}`;
  const advice = adviceFor(status, server);
  return new ModelRequestError(advice ? `${what} (${advice})` : what, { status, retryAfterMs, isTooLong: isTooLong(status, text) });
}

function adviceFor(status: number, { keyVariable, key, model }: ModelServer): string | undefined {
  if (status === 401 || status === 403) {
    if (!keyVariable) return 'this provider takes no key here; set OPENAI_BASE_URL and OPENAI_API_KEY for a server that wants one';
    return key ? `check the key in ${keyVariable}` : `set ${keyVariable}`;
  }
  return status === 404 ? `check the model ${JSON.stringify(model)}: getModel shows it, setModel or SVC_MODEL sets another` : undefined;
}

function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    // Google answers with an array of one element.
    const { error = body } = objectMembers(Array.isArray(body) ? body[0] : body);
    const message = typeof error === 'string' ? error : objectMembers(error).message;
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

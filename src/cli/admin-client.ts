/** The admin API of a running service (docs/protocol.md section 7), with the key of SVC_ADMIN_API_KEY. */
import { SvcError } from 'svc-sdk';
import type { CreatedKey, CreateKeyRequest, KeyInfo, Keys } from 'svc-sdk/service';
import { PATHS } from '../protocol/http';

export class AdminClient implements Keys {
  readonly #url: string;
  readonly #apiKey: string;

  constructor(url: string, apiKey = process.env.SVC_ADMIN_API_KEY) {
    if (!apiKey) {
      const message =
        'SVC_ADMIN_API_KEY is not set; make an admin key with "npx svc-sdk keys create --kind admin --name me" where the data is';
      throw new SvcError('INVALID_KEY', message);
    }
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new SvcError('INVALID_REQUEST', `--url ${url} is no http(s) URL; write one such as http://127.0.0.1:8787`);
    this.#url = url.replace(/\/+$/, '');
    this.#apiKey = apiKey;
  }

  create(request: CreateKeyRequest): Promise<CreatedKey> {
    return this.#send('POST', PATHS.keys, request);
  }

  async list(): Promise<KeyInfo[]> {
    return (await this.#send<{ keys: KeyInfo[] }>('GET', PATHS.keys)).keys;
  }

  rotate(id: string): Promise<CreatedKey> {
    return this.#send('POST', `${PATHS.keys}/${encodeURIComponent(id)}/rotate`);
  }

  async revoke(id: string): Promise<void> {
    await this.#send('DELETE', `${PATHS.keys}/${encodeURIComponent(id)}`);
  }

  async #send<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' };
    let response: Response;
    try {
      response = await fetch(this.#url + path, { method, headers, redirect: 'error', ...(body && { body: JSON.stringify(body) }) });
    } catch (error) {
      throw new SvcError(
        'SERVICE_UNREACHABLE',
        `No service answers at ${this.#url}; start one with "npx svc-sdk serve"`,
        {},
        { cause: error },
      );
    }
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : readJson(text);
    if (response.ok) return answer as T;
    throw (
      SvcError.fromProblem(answer) ??
      new SvcError('SERVICE_UNREACHABLE', `${this.#url} answered ${response.status}, not like a svc-sdk service`)
    );
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

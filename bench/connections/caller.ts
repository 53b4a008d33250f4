/** Calls of one action for one user, by plain HTTP. */
import { Pool } from 'undici';
import { PATHS } from '../../src/protocol/http.ts';
import { USER } from './kept-grant.ts';

export interface CallResult {
  ok: boolean;
  /** The error code; undefined for an answer. */
  code?: string;
  text: string;
}

export class Caller {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;

  constructor(url: string, agentKey: string, connections: number) {
    this.#pool = new Pool(url, { connections });
    this.#headers = { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json', 'svc-user-id': USER };
  }

  async call(action: string): Promise<CallResult> {
    const body = JSON.stringify({ action, payload: {} });
    try {
      const answer = await this.#pool.request({ method: 'POST', path: PATHS.invoke, headers: this.#headers, body });
      const text = await answer.body.text();
      return answer.statusCode === 200 ? { ok: true, text } : { ok: false, code: JSON.parse(text).code, text };
    } catch (error) {
      return { ok: false, code: 'UNREACHABLE', text: String(error) };
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

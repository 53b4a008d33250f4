/** `/mcp` of a service, with messages of revision 2026-07-28 that no SDK sends. */
import { onTestFinished } from 'vitest';
import { WAITS } from '../../../adapters/mcp/held-call';

const REVISION = '2026-07-28';

/** Options of an official client. */
export const MODERN = { versionNegotiation: { mode: { pin: REVISION } } } as const;

/** Calls are held for a second, until the end of the test. */
export function shortWaits(waits: Partial<typeof WAITS> = {}): void {
  const usual = { ...WAITS };
  onTestFinished(() => void Object.assign(WAITS, usual));
  Object.assign(WAITS, { holdMs: 1_000, taskMs: 0, ...waits });
}

export class McpDoor {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #capabilities: object;
  #ids = 0;

  constructor(
    { url, query = '' }: { url: string; query?: string },
    key: string,
    headers: Record<string, string> = {},
    capabilities: object = {},
  ) {
    this.#url = `${url}/mcp${query}`;
    this.#headers = { authorization: `Bearer ${key}`, ...headers };
    this.#capabilities = capabilities;
  }

  /** The result of a call. */
  async call(params: object, more: object = {}): Promise<Record<string, unknown>> {
    return (await this.send(params, more)).result as Record<string, unknown>;
  }

  send(params: object, more: object = {}): Promise<Record<string, unknown>> {
    return this.request('tools/call', { ...params, ...more });
  }

  /** The JSON-RPC message of the answer. */
  async request(method: string, params: { name?: string; taskId?: string } & object): Promise<Record<string, unknown>> {
    const name = params.name ?? params.taskId;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': this.#capabilities,
    };
    const answer = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
        ...this.#headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.#ids, method, params: { ...params, _meta } }),
    });
    const text = await answer.text();
    const [, data = text] = /^data: (.+)$/m.exec(text) ?? [];
    return JSON.parse(data);
  }
}

/**
 * The state that a client of revision 2026-07-28 sends back while its call waits for a person.
 *
 * Shape:  signed for this tool and these arguments. A state of another call, or of another server, is refused.
 * Errors: -32602, as the specification has it.
 */
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';

export interface RoundState {
  /** The same for all rounds of the call, so that it runs once. */
  callId: string;
  approvalId: string;
  /** Rounds so far. */
  round: number;
}

/** As long as a question to a person stays open. */
const TTL_SECONDS = 24 * 60 * 60;

export type StateKey = string | (() => string | Promise<string>);

export class RoundStates {
  readonly #key: StateKey;

  /** @param key of at least 32 characters */
  constructor(key: StateKey) {
    this.#key = key;
  }

  async write(state: RoundState, call: readonly unknown[], ctx: ServerContext): Promise<string> {
    return (await this.#codec(call)).mint(state, ctx);
  }

  /** Undefined for the first round of a call. */
  async read(call: readonly unknown[], ctx: ServerContext): Promise<RoundState | undefined> {
    const state: unknown = ctx.mcpReq.requestState();
    if (state === undefined) return undefined;
    try {
      return await (await this.#codec(call)).verify(String(state), ctx);
    } catch {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
    }
  }

  async #codec(call: readonly unknown[]): Promise<RequestStateCodec<RoundState>> {
    const key = typeof this.#key === 'string' ? this.#key : await this.#key();
    return createRequestStateCodec<RoundState>({ key, ttlSeconds: TTL_SECONDS, bind: () => JSON.stringify(call) });
  }
}

/**
 * What a hono request comes with: Node's own objects, or, when the service itself makes it for a caller that it has let in, the caller's key and,
 * where it was read before, the parsed body.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { CallingKey } from '../keys/agent-tokens';
import type { NeededKind } from '../keys/bearer';
import type { AgentGate } from './agent-gate';

export interface RequestEnv {
  Bindings: HttpBindings | { key: CallingKey; body?: unknown };
}

/** The key of a request, an agent key unless told. Rejects as the gate does. */
export async function admit(
  { env, req, header }: Pick<Context<RequestEnv>, 'env' | 'req' | 'header'>,
  gate: AgentGate,
  needed?: NeededKind,
): Promise<CallingKey> {
  return 'key' in env ? env.key : gate.admit(req.header('authorization'), (name, value) => header(name, value), needed);
}

/**
 * The bindings of a hono request: Node's request and response, or, for a request that the service sends to itself, the authenticated key and the
 * body if it was parsed already.
 */
import type { HttpBindings } from '@hono/node-server';
import type { CallingKey } from '../keys/agent-tokens';

export interface RequestEnv {
  Bindings: HttpBindings | { key: CallingKey; body?: unknown };
}

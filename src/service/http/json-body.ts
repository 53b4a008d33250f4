/** A hono request's body, read from Node itself (see read-body.ts) and checked; INVALID_REQUEST tells what is wrong. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import type { Limits } from '../../protocol/limits';
import { parseOrThrow } from '../parse';
import { readJson } from './read-body';

/** Environment of the routes that read a body. */
export interface NodeEnv {
  Bindings: HttpBindings;
}

export async function jsonBody<T>({ env }: Context<NodeEnv>, schema: ZodType<T>, { requestBodyBytes }: Limits): Promise<T> {
  return parseOrThrow(schema, await readJson(env.incoming, requestBodyBytes), 'body');
}

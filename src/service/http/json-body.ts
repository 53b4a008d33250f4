/** A hono request's body, read from Node itself (see read-body.ts) when it came from there; INVALID_REQUEST tells what is wrong. */
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import type { Limits } from '../../protocol/limits';
import { parseOrThrow } from '../lib/parse';
import { readJson } from './read-body';
import type { RequestEnv } from './request-env';

export async function jsonBody<T>(context: Pick<Context<RequestEnv>, 'env' | 'req'>, schema: ZodType<T>, limits: Limits): Promise<T> {
  return parseOrThrow(schema, await anyJsonBody(context, limits), 'body');
}

export async function anyJsonBody({ env, req }: Pick<Context<RequestEnv>, 'env' | 'req'>, { requestBodyBytes }: Limits): Promise<unknown> {
  if ('incoming' in env) return readJson(env.incoming, requestBodyBytes);
  return 'body' in env ? env.body : req.json();
}

/** A hono request's body, parsed and checked; INVALID_REQUEST tells what is wrong. */
import type { Context } from 'hono';
import type { ZodType } from 'zod';
import { SvcError } from '../../protocol/errors';
import { parseOrThrow } from '../parse';

export async function jsonBody<T>(context: Context, schema: ZodType<T>): Promise<T> {
  const text = await context.req.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new SvcError('INVALID_REQUEST', text === '' ? 'The request has no body; send JSON' : 'The body is not JSON');
  }
  return parseOrThrow(schema, json, 'body');
}

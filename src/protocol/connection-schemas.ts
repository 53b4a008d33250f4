/** Schemas of connections in registrations and on the admin API. */
import * as z from 'zod';
import { combinationProblem } from './auth-problem';
import type { ActionAuth, ToolkitAuth } from './connections';

/** `http` is for providers of this machine or network: the service then connects only to hosts that its operator allows. */
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const scopes = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, 'must be a scope: visible ASCII without quotes and backslashes'))
  .max(100);

export const toolkitAuth = z
  .object({
    type: z.enum(['bearer', 'basic', 'apiKey', 'oauth2']),
    from: z.enum(['caller', 'user', 'agent', 'everyone']),
    help: z.string().max(1_000).exactOptional(),
    in: z.enum(['header', 'query']).exactOptional(),
    name: z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header or a query parameter')
      .exactOptional(),
    authorizationUrl: address.exactOptional(),
    tokenUrl: address.exactOptional(),
    revocationUrl: address.exactOptional(),
    issuer: address.exactOptional(),
    scopes: scopes.exactOptional(),
    server: address.exactOptional(),
    registration: z.literal('dcr').exactOptional(),
    account: z
      .object({
        url: address,
        field: z
          .string()
          .regex(/^(\/.*)?$/, 'must be a JSON Pointer, such as /login')
          .max(200),
      })
      .exactOptional(),
  })
  .check(({ value, issues }) => {
    const problem = combinationProblem(value);
    if (problem) issues.push({ code: 'custom', message: problem, input: value });
  }) satisfies z.ZodType<ToolkitAuth>;

export const actionAuth = z.union([z.literal(false), z.object({ scopes })]) satisfies z.ZodType<ActionAuth>;

/** Checks the request for a new key, from HTTP, the command line or a program. */
import * as z from 'zod';
import { AMOUNT_ADVICE, millionthsOf, toAmount, toMillionths } from '#sdk/protocol/amount';
import { SvcError } from '#sdk/protocol/errors';
import type { Budget } from '#sdk/protocol/http';
import { isToolkitId, parseActionId, RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { components } from '#sdk/protocol/schemas';
import { DAY_MS } from '../lib/utc-day';
import { checkedRules } from '../rules/checked-rules';
import type { KeyRecord } from '../store/store';

/** A hundred years: a longer time is a mistake, such as milliseconds. */
const MAX_DAYS = 36_500;

const toolkitId = z
  .string()
  .refine((id) => id !== RESERVED_TOOLKIT_ID, `must not be "${RESERVED_TOOLKIT_ID}", which the service keeps for itself; choose another id`)
  .refine(isToolkitId, 'must be a toolkit id: lower-case words joined by - or _, such as "sample-database"');
const actionId = z.string().refine((text) => parseActionId(text) !== undefined, 'must be an action id, such as "weather__get_forecast"');

const amount = z
  .string(AMOUNT_ADVICE)
  .refine((text) => toMillionths(text) !== undefined, AMOUNT_ADVICE)
  .refine((text) => toMillionths(text) !== 0n, 'must be more than 0: a key without a budget uses only free actions')
  .transform((text) => toAmount(millionthsOf(text)))
  .describe(`An amount: ${AMOUNT_ADVICE}`);

/** Strict: ignoring a misspelt limit would create a key without the limit. */
export const newKey = z
  .strictObject({
    kind: z.enum(['agent', 'toolkit', 'admin'], 'must be "agent", "toolkit" or "admin"'),
    name: z
      .string('must be a text that names the owner of this key for people')
      .trim()
      .min(1, 'must not be empty: it names the owner of this key for people')
      .max(DEFAULT_LIMITS.toolkitNameChars, `may have at most ${DEFAULT_LIMITS.toolkitNameChars} characters`)
      .regex(/^\P{Cc}*$/u, 'must not hold control characters'),
    toolkit: toolkitId.optional().describe('Toolkit keys only: a further key for this toolkit; else the key brings a toolkit of its own'),
    allow: z
      .strictObject({ toolkits: z.array(toolkitId).default([]), actions: z.array(actionId).default([]) })
      .optional()
      .describe('Agent keys only: what the key may use; absent is everything'),
    callsPerMinute: z.int('must be a whole number').min(1, 'must be at least 1').optional().describe('Agent keys only'),
    budget: z
      .strictObject({ perCall: amount, perDay: amount }, 'must be {"perCall": …, "perDay": …}, both of them amounts such as "0.05"')
      .optional()
      .describe('Agent keys only: what calls may cost, at most perCall each and perDay in a UTC day; absent allows only free actions'),
    rules: checkedRules.optional().describe('Agent keys only: they decide which calls run, ask a person first, or are refused'),
    code: z.boolean('must be true or false').optional().describe('Agent keys only: true lets the key run code, where the service runs any'),
    expiresInDays: z.number().positive('must be more than 0').max(MAX_DAYS, `may be at most ${MAX_DAYS}`).optional(),
  })
  .register(components, { id: 'CreateKeyRequest' });

/** A `CreateKeyRequest` whose optional members may also be undefined. */
export type NewKeyRequest = z.input<typeof newKey>;

/** Checks the request. INVALID_REQUEST contains the remedy. */
export function readNewKey(
  asked: unknown,
  now: number,
): Pick<KeyRecord, 'kind' | 'name' | 'allow' | 'callsPerMinute' | 'budget' | 'rules' | 'code' | 'expiresAt'> & { toolkit?: string } {
  const parsed = newKey.safeParse(asked);
  if (!parsed.success) throw new SvcError('INVALID_REQUEST', newKeyRefusal(parsed.error.issues[0]));
  const { kind, name, toolkit, allow, callsPerMinute, budget, rules, code, expiresInDays } = parsed.data;

  if (kind !== 'toolkit' && toolkit !== undefined)
    throw invalid(`toolkit is for toolkit keys, this is ${withArticle(kind)} key: leave it out`);
  if (kind !== 'agent' && allow !== undefined) throw invalid(`allow is for agent keys, this is ${withArticle(kind)} key: leave it out`);
  if (kind !== 'agent' && callsPerMinute !== undefined)
    throw invalid(`callsPerMinute is for agent keys, this is ${withArticle(kind)} key: leave it out`);
  if (kind !== 'agent' && budget !== undefined) throw invalid(`budget is for agent keys, this is ${withArticle(kind)} key: leave it out`);
  if (kind !== 'agent' && rules !== undefined) throw invalid(`rules are for agent keys, this is ${withArticle(kind)} key: leave them out`);
  if (kind !== 'agent' && code !== undefined) throw invalid(`code is for agent keys, this is ${withArticle(kind)} key: leave it out`);
  if (allow && allow.toolkits.length + allow.actions.length === 0)
    throw invalid('allow names nothing: name toolkits or actions, or leave it out to allow everything');
  const excess = budget && excessOf(budget);
  if (excess !== undefined) throw invalid(excess);

  return {
    kind,
    name,
    ...(toolkit !== undefined && { toolkit }),
    allow: allow ?? null,
    callsPerMinute: callsPerMinute ?? null,
    budget: budget ?? null,
    rules: rules?.length ? rules : null,
    code: code ?? false,
    expiresAt: expiresInDays === undefined ? null : now + Math.round(expiresInDays * DAY_MS),
  };
}

/** Returns an error text for a budget whose `perCall` exceeds its `perDay`. */
export function excessOf({ perCall, perDay }: Budget): string | undefined {
  if (millionthsOf(perCall) <= millionthsOf(perDay)) return undefined;
  return `budget.perCall is ${perCall}, which is more than budget.perDay, ${perDay}: lower perCall or raise perDay`;
}

function invalid(sentence: string): SvcError {
  return new SvcError('INVALID_REQUEST', `The key cannot be made: ${sentence}`);
}

/** The error message for an invalid request. */
export function newKeyRefusal(issue: z.core.$ZodIssue | undefined): string {
  return `The key cannot be made: ${keyProblem(issue)}`;
}

export function keyProblem(issue: z.core.$ZodIssue | undefined): string {
  return issue ? [issue.path.join('.'), issue.message].filter(Boolean).join(' ') : 'the request is not understood';
}

function withArticle(kind: KeyRecord['kind']): string {
  return kind === 'toolkit' ? 'a toolkit' : `an ${kind}`;
}

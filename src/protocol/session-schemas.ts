/** zod schemas of the sums of sessions and end users. docs/protocol.md, section 10. */
import * as z from 'zod';
import { ACTIVITY_SORTS } from './admin-constants';
import { AMOUNT, AMOUNT_ADVICE } from './amount';
import { amount, components, nextCursor } from './schemas';

const time = z.string().describe('ISO 8601, UTC');
const queriedTime = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-23T09:30:00Z' }).exactOptional();
const callerId = z.string().min(1, 'must not be empty').max(256, 'may have at most 256 characters').exactOptional();

const pageOf = {
  key: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('Only of this agent key'),
  from: queriedTime.describe('Last active then or later'),
  to: queriedTime.describe('Last active before'),
  text: z.string().max(256, 'may have at most 256 characters').exactOptional().describe('A part of the id, in any case'),
  sort: z.enum(ACTIVITY_SORTS, `must be one of ${ACTIVITY_SORTS.join(', ')}`).default('lastActivity'),
  order: z.enum(['asc', 'desc'], 'must be asc or desc').default('desc'),
  limit: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(200, 'must be 200 or less')
    .default(50),
  cursor: z.string().max(2_000, 'must be the nextCursor of the page before').exactOptional().describe('`nextCursor` of the page before'),
};

export const listSessionsQuery = z.strictObject({
  ...pageOf,
  user: callerId.describe('Only sessions whose last user this is'),
  outcome: z
    .enum(['ok', 'error', 'endedInError'], 'must be ok, error or endedInError')
    .exactOptional()
    .describe('`ok`: no call failed; `error`: one did; `endedInError`: the call that ended last did'),
  inVain: z.literal('true', 'must be true').exactOptional().describe('Only sessions with a search that led to no call'),
  dearerThan: z.string().regex(AMOUNT, AMOUNT_ADVICE).exactOptional().describe('Only sessions that cost more'),
});

export const listUsersQuery = z.strictObject(pageOf);

const tokens = z.object({
  input: z.int(),
  cached: z.int().describe('The part of `input` that the provider read from its cache'),
  output: z.int(),
});

const counts = {
  searches: z.int(),
  inVain: z.int().describe('Searches that led to no call'),
  calls: z.int(),
  errors: z.int(),
  cost: amount.describe('The charges of the paid calls'),
  tokens: tokens.describe('As the agent reported them'),
};

const activity = z.object({
  firstAt: time,
  lastAt: time.describe('The last search, or the end of the last call'),
  ...counts,
});

const sessionInfo = activity.extend({
  session: z.string().describe("The caller's id of the conversation"),
  key: z.object({ id: z.string(), name: z.string().exactOptional() }),
  user: z.string().exactOptional().describe('The last end user that its agent named'),
  lastCode: z.string().exactOptional().describe('`OK` or the error code of the call that ended last; absent: none has ended'),
});
export type SessionInfo = z.output<typeof sessionInfo>;

const modelTokens = tokens.extend({ model: z.string().describe('Empty where the setting `searchTexts` does not allow texts') });
export type ModelTokensInfo = z.output<typeof modelTokens>;

export const sessionsPage = z
  .object({ items: z.array(sessionInfo), currency: z.string(), nextCursor })
  .register(components, { id: 'SessionsPage' });
export type SessionsPage = z.output<typeof sessionsPage>;

const userInfo = activity.extend({
  user: z.string().describe("The caller's id of the end user"),
  sessions: z.int().describe('Sessions whose last user this is'),
});
export type UserInfo = z.output<typeof userInfo>;

export const usersPage = z.object({ items: z.array(userInfo), currency: z.string(), nextCursor }).register(components, { id: 'UsersPage' });
export type UsersPage = z.output<typeof usersPage>;

export const userDetail = userInfo
  .extend({
    currency: z.string(),
    models: z.array(modelTokens).describe('The most tokens first'),
    days: z
      .array(z.object({ day: z.string().describe('UTC, such as `2026-11-23`'), ...counts }))
      .describe('Oldest first; only those with activity'),
  })
  .register(components, { id: 'User' });
export type UserDetail = z.output<typeof userDetail>;

/** The sums beside the entries of one session. */
export const sessionSums = {
  currency: z.string(),
  sums: z.array(sessionInfo).describe('One for each agent key that sent the id'),
  models: z.array(modelTokens).describe('The tokens by model, the most first'),
};

/** zod schemas of the admin API for kept connections. Never a secret in an answer. */
import * as z from 'zod';
import { components } from './schemas';

const time = z.string().describe('ISO 8601, UTC');
const toolkitId = z.string().max(100, 'may have at most 100 characters');

const connectionOwner = z.union([
  z.object({ kind: z.literal('everyone') }),
  z.object({ kind: z.literal('agent'), key: z.object({ id: z.string(), name: z.string() }).exactOptional() }),
  z.object({
    kind: z.literal('user'),
    key: z.object({ id: z.string(), name: z.string() }).exactOptional(),
    user: z.string().exactOptional().describe('As the app names them'),
  }),
  z.object({ kind: z.literal('person'), person: z.object({ id: z.string(), name: z.string() }).exactOptional() }),
]);

const keptConnection = z.object({
  id: z.string(),
  toolkit: z.string(),
  owner: connectionOwner.describe(
    "Of a connection to their toolkit, members see the kind; key, user and person only where they are the member's own",
  ),
  mine: z.boolean().describe('It is the account of the person who asks'),
  name: z.string(),
  default: z.boolean().describe('Calls that name no connection use it'),
  status: z.enum(['live', 'ended']).describe('`ended`: the provider refused it, so its user has to connect again'),
  account: z.string().exactOptional().describe('As the provider names it'),
  scopes: z.array(z.string()).exactOptional(),
  connectedAt: time,
  lastUsedAt: time.exactOptional().describe('To the minute'),
  expiresAt: time.exactOptional().describe('Of its present token'),
  fault: z.object({ message: z.string(), at: time }).exactOptional().describe('The last fault'),
});
export type ConnectionInfo = z.output<typeof keptConnection>;

export const keptConnectionsPage = z
  .object({ connections: z.array(keptConnection), nextCursor: z.string().exactOptional() })
  .register(components, { id: 'KeptConnectionsPage' });
export type KeptConnectionsPage = z.output<typeof keptConnectionsPage>;

export const listKeptConnectionsQuery = z.strictObject({
  toolkit: toolkitId.exactOptional(),
  mine: z.literal('true', 'must be true').exactOptional().describe("Only one's own accounts"),
  limit: z.coerce
    .number<string | number>('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(200, 'may be at most 200')
    .default(50),
  cursor: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('`nextCursor` of the page before'),
});

export const changeKeptConnectionRequest = z
  .strictObject({ default: z.literal(true, 'must be true') })
  .register(components, { id: 'ChangeKeptConnectionRequest' });

export const endedConnection = z
  .object({
    provider: z
      .enum(['revoked', 'not asked', 'failed'])
      .describe('Whether the provider revoked the token. `not asked`: it has no endpoint for that, or the secret cannot be opened'),
  })
  .register(components, { id: 'EndedConnection' });
export type EndedConnection = z.output<typeof endedConnection>;

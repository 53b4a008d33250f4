/** zod schemas of the admin API for kept connections, and for the OAuth clients of toolkits. Never a secret in an answer. */
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

const connectionName = z
  .string('must be a text')
  .regex(/^[A-Za-z0-9._@-]{1,64}$/, 'must have 1 to 64 characters: letters, digits and . _ @ -');

export const connectLinkRequest = z
  .strictObject({
    toolkit: toolkitId,
    owner: z
      .enum(['everyone', 'agent', 'me'], 'must be everyone, agent or me')
      .describe('As the toolkit asks: `me` where it asks for the account of a user'),
    keyId: z.string().max(100, 'may have at most 100 characters').exactOptional().describe('Only with `agent`: id of the agent key'),
    name: connectionName.exactOptional().describe('Default: `default`. An account of that name is replaced'),
  })
  .register(components, { id: 'ConnectLinkRequest' });
export type ConnectLinkRequest = z.output<typeof connectLinkRequest>;

export const connectLink = z
  .object({ url: z.string().describe('Opens the connect page, once'), expiresAt: time })
  .register(components, { id: 'ConnectLink' });
export type CreatedConnectLink = z.output<typeof connectLink>;

export const resealedConnections = z
  .object({
    resealed: z.int(),
    unreadable: z.int().describe('Sealed with a key that the service does not have: their users have to connect again'),
  })
  .register(components, { id: 'ResealedConnections' });
export type ResealedConnections = z.output<typeof resealedConnections>;

const authMethod = z.enum(['basic', 'post', 'none'], 'must be basic, post or none');

export const connectionClient = z
  .object({
    clientId: z.string().exactOptional().describe('Absent: no client is set'),
    source: z
      .enum(['owner', 'registered', 'document'])
      .exactOptional()
      .describe(
        "`owner`: people of the toolkit set it. Else the service registered itself, or its id is the address of the service's document",
      ),
    authMethod: authMethod.exactOptional(),
    hasSecret: z.boolean(),
    callbackUrl: z
      .string()
      .exactOptional()
      .describe('The redirect address to register at the provider. Absent where the service does not know its own address'),
    endpoints: z
      .object({
        authorizationUrl: z.string().optional(),
        tokenUrl: z.string().optional(),
        revocationUrl: z.string().optional(),
        issuer: z.string().optional(),
        server: z.string().optional(),
      })
      .describe('As the toolkit names them now'),
    otherEndpoints: z.literal(true).exactOptional().describe('They are not those for which the client was set: nothing is sent to them'),
    changedAt: time.exactOptional(),
  })
  .register(components, { id: 'ConnectionClient' });
export type ConnectionClient = z.output<typeof connectionClient>;

const visibleAscii = (most: number) =>
  z
    .string('must be a text')
    .regex(/^[\x20-\x7e]+$/, 'must be ASCII text without control characters')
    .max(most, `may have at most ${most} characters`);

export const setConnectionClientRequest = z
  .strictObject({
    clientId: visibleAscii(500),
    clientSecret: visibleAscii(1_000).exactOptional().describe('Absent for a public client. No answer contains it'),
    authMethod: authMethod
      .exactOptional()
      .describe('How the service authenticates at the provider. Default: `basic` with a secret, else `none`'),
  })
  .register(components, { id: 'SetConnectionClientRequest' });
export type SetConnectionClientRequest = z.output<typeof setConnectionClientRequest>;

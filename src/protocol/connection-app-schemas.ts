/** zod schemas of the routes with which an app connects its users' accounts. docs/protocol.md section 11. No answer has a secret. */
import * as z from 'zod';
import { components } from './schemas';

const time = z.string().describe('ISO 8601, UTC');
const userId = z
  .string('must be a text')
  .min(1, 'must not be empty')
  .max(256, 'may have at most 256 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')
  .describe('The user, as the app names them: the user of `Svc-User-Id`, or of a token');
const toolkitId = z.string().max(100, 'may have at most 100 characters');

export const newConnectSession = z
  .strictObject({
    userId,
    toolkits: z.array(toolkitId).min(1, 'must name a toolkit').max(20, 'may name at most 20 toolkits'),
    name: z
      .string('must be a text')
      .regex(/^[A-Za-z0-9._@-]{1,64}$/, 'must have 1 to 64 characters: letters, digits and . _ @ -')
      .exactOptional()
      .describe('Name of the connection. Default: `default`. One of that name is connected again'),
  })
  .register(components, { id: 'NewConnectSession' });

export const connectSession = z
  .object({
    url: z.string().describe('The connect page: open it in the browser of the user'),
    expiresAt: time,
    confirm: z
      .literal(true)
      .exactOptional()
      .describe('The page ends with a code that the user types in the app. Absent: it leads to `returnUrl`'),
  })
  .register(components, { id: 'ConnectSession' });

export const connectionConfirmation = z
  .strictObject({ code: z.string('must be a text').max(100, 'may have at most 100 characters'), userId })
  .register(components, { id: 'ConnectionConfirmation' });

export const confirmedConnection = z
  .object({ toolkit: z.string(), name: z.string(), account: z.string().exactOptional().describe('As the provider names it') })
  .register(components, { id: 'ConfirmedConnection' });

export const listConnectionsQuery = z.strictObject({
  userId: userId.exactOptional().describe('Absent: the connections of the key itself'),
  toolkit: toolkitId.exactOptional(),
});

const appConnection = z.object({
  id: z.string(),
  toolkit: z.string(),
  name: z.string(),
  account: z.string().exactOptional().describe('As the provider names it'),
  scopes: z.array(z.string()).exactOptional(),
  status: z.enum(['live', 'ended']).describe('`ended`: the provider refused it, so the user has to connect again'),
  default: z.boolean().describe('Calls that name no connection use it'),
  connectedAt: time,
  usedAt: time.exactOptional().describe('To the minute'),
});

export const appConnections = z.object({ connections: z.array(appConnection) }).register(components, { id: 'AppConnections' });

export const changeAppConnection = z
  .strictObject({ default: z.literal(true, 'must be true') })
  .register(components, { id: 'ChangeAppConnection' });

export const ofUserQuery = z.strictObject({ userId: userId.exactOptional() });

const address = z.string('must be a text').max(2_048, 'may have at most 2048 characters').nullable().exactOptional();

/** The settings of an app, in a change of its key. */
export const appChange = z.strictObject({
  returnUrl: address.describe('Where the connect page sends users of the app, with `code` and `toolkit`; null: the page shows the code'),
  webhookUrl: address.describe('Gets `connection.changed`; null: none'),
});

/** The settings of an app, in the answer about its key. */
export const appSettings = z.object({
  returnUrl: z.string().exactOptional(),
  webhookUrl: z.string().exactOptional(),
  webhookSecret: z.string().exactOptional().describe('Signs the messages to a new `webhookUrl`. Shown this once'),
});

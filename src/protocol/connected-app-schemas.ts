/** zod schemas of the admin API for apps that people connect by OAuth: the consent page, and the list of connected apps. */
import * as z from 'zod';
import { components, keyInfo } from './schemas';

const time = z.string().describe('ISO 8601, UTC');

const appClient = z.object({
  name: z.string().describe('As the client calls itself'),
  host: z
    .string()
    .describe(
      'Where it is: the host of its metadata document, else that of its redirect; "localhost" for an app on this computer; "cursor:" for a private scheme',
    ),
  document: z
    .string()
    .exactOptional()
    .describe('URL of its metadata document, whose host is verified; without it the name is only what the client says'),
});

export const authorizationRequest = z
  .union([
    z.object({
      problem: z.string().describe("The fault, for the client's developer"),
      redirect: z.string().describe('Takes the error back to the client, when the person opens it'),
      redirectTo: z.string().describe('Where that is, as `client.host` says it'),
    }),
    z.object({
      client: appClient,
      redirectTo: z.string().describe('Where the answer goes, as `client.host` says it'),
      keyName: z.string().describe('Name of the agent key that the app gets'),
      key: keyInfo.exactOptional().describe('The key of an earlier connection of the same client, whose limits stay'),
    }),
  ])
  .register(components, { id: 'AuthorizationRequest' });
export type AuthorizationRequest = z.output<typeof authorizationRequest>;

export const authorizationDecision = z
  .object({ redirect: z.string().describe("The client's redirect address, with a code or an error: open it") })
  .register(components, { id: 'AuthorizationDecision' });
export type AuthorizationDecision = z.output<typeof authorizationDecision>;

const connectedApp = keyInfo.pick({ id: true, name: true, allow: true, callsPerMinute: true, budget: true, rules: true }).extend({
  client: appClient,
  owner: z.object({ id: z.string(), name: z.string() }).exactOptional(),
  signIns: z.int().describe('Sign-ins that have not ended, such as those of two computers'),
  connectedAt: time,
  lastUsedAt: time.exactOptional().describe('To the minute'),
});
export type ConnectedApp = z.output<typeof connectedApp>;

export const connectedAppsPage = z.object({ apps: z.array(connectedApp) }).register(components, { id: 'ConnectedAppsPage' });
export type ConnectedAppsPage = z.output<typeof connectedAppsPage>;

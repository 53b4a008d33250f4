/** The operator's options of the console, parsed and checked. */
import * as z from 'zod';
import { parseOrThrow } from '../lib/parse';
import { isAddressOrBlock } from './client-address';

export interface ConsoleOptions {
  /**
   * Where browsers reach the service, such as `https://tools.example.com`: the only origin from which people sign in. Needed behind a proxy that
   * ends TLS, for passkeys on another name than localhost, and for `oidc`. Default: the address that the browser used.
   */
  publicUrl?: string | undefined;
  /** A further way to sign in: an OpenID provider. */
  oidc?: OidcOptions | undefined;
  /**
   * Addresses and CIDR blocks of the reverse proxies in front of the service, such as `10.0.0.0/8`. Only from them does `X-Forwarded-For` name the
   * client. Default: none, and the client is the other end of the connection.
   */
  trustedProxies?: readonly string[] | undefined;
  /** Seconds that an access token of a connected app lasts, before the app refreshes it. Default: 3600, which is the most. */
  accessTokenSeconds?: number | undefined;
  /**
   * Hosts in private networks whose client ID metadata documents may be read, such as `apps.example.internal`, for apps of your own. Default: none,
   * and only documents at public addresses are read.
   */
  privateClientHosts?: readonly string[] | undefined;
  /** A model for the playground of the console. Default: none, and people enter the address and the key of their own. */
  playground?: PlaygroundOptions | undefined;
}

export interface PlaygroundOptions {
  /** The address of an API for chat completions, such as `https://api.openai.com/v1`. */
  modelUrl: string;
  /** Such as `gpt-6-mini`. */
  model: string;
  /** Sent as bearer, and shown to no one. */
  modelKey?: string | undefined;
  /** Default: `owners`. */
  openTo?: 'owners' | 'everyone' | undefined;
}

export interface OidcOptions {
  /** Such as `https://accounts.example.com`; its `/.well-known/openid-configuration` has the rest. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The text of the button. Default: the host of the issuer. */
  name?: string | undefined;
  /**
   * People with a verified e-mail address of these domains may join as members. Default: only people who have an account with that address already.
   */
  allowedDomains?: readonly string[] | undefined;
}

export const MAX_ACCESS_TOKEN_SECONDS = 3_600;

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const origin = webUrl
  .refine((text) => new URL(text).pathname === '/' && !/[?#]/.test(text), 'must be without a path, such as https://tools.example.com')
  .transform((text) => new URL(text).origin);

const consoleOptions = z
  .strictObject({
    publicUrl: origin.optional(),
    oidc: z
      .strictObject({
        issuer: webUrl,
        clientId: z.string().min(1),
        clientSecret: z.string().min(1),
        name: z.string().min(1).max(60).optional(),
        allowedDomains: z.array(z.hostname().toLowerCase()).optional(),
      })
      .optional(),
    trustedProxies: z.array(z.string().refine(isAddressOrBlock, 'must be an IP address or a CIDR block, such as 10.0.0.0/8')).optional(),
    accessTokenSeconds: z.int().min(1).max(MAX_ACCESS_TOKEN_SECONDS).optional(),
    privateClientHosts: z.array(z.hostname().toLowerCase()).optional(),
    playground: z
      .strictObject({
        modelUrl: webUrl,
        model: z.string().min(1).max(200),
        modelKey: z.string().min(1).optional(),
        openTo: z.enum(['owners', 'everyone'], 'must be owners or everyone').optional(),
      })
      .optional(),
  })
  .refine(({ publicUrl, oidc }) => !oidc || publicUrl !== undefined, {
    path: ['publicUrl'],
    error: 'is needed with oidc: the provider sends people back to it',
  });

/** Undefined while it is off. INVALID_REQUEST says what is wrong. */
export function readConsoleOptions(options: boolean | ConsoleOptions | undefined): ConsoleOptions | undefined {
  if (!options) return undefined;
  return parseOrThrow(consoleOptions, options === true ? {} : options, 'console');
}

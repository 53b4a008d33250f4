/** The console's flags of `svc-service serve`, and its printed lines. The client secret has no flag: other users can read a command line. */
import type { Command } from 'commander';
import type { ConsoleOptions, PlaygroundOptions } from 'svc-service';
import { type Parts, styled } from '#sdk/cli/line';
import { collect, notEmpty } from '#sdk/cli/options';
import { UsageError } from '#sdk/cli/usage-error';

interface PlaygroundFlags {
  playgroundModelUrl?: string | undefined;
  playgroundModel?: string | undefined;
  playgroundOpenTo?: string | undefined;
}

export interface ConsoleFlags extends PlaygroundFlags {
  console: boolean;
  publicUrl?: string;
  trustedProxy?: string[];
  privateClientHost?: string[];
  oidcIssuer?: string;
  oidcClientId?: string;
  oidcName?: string;
  oidcDomain?: string[];
}

export function addConsoleFlags(command: Command): Command {
  return command
    .option('--no-console', 'no console at /, no accounts and no admin API but for keys')
    .option('--public-url <url>', 'where browsers reach it, such as https://tools.example.com: the one origin to sign in from', notEmpty())
    .option(
      '--trusted-proxy <address>',
      'address or CIDR block of a reverse proxy, whose X-Forwarded-For names the client; may be given several times',
      collect,
    )
    .option(
      '--private-client-host <host>',
      'host in a private network of an app of yours, whose client ID metadata document may be read; may be given several times',
      collect,
    )
    .option(
      '--playground-model-url <url>',
      'a model for the playground, such as https://api.openai.com/v1; its key: SVC_PLAYGROUND_MODEL_KEY',
      notEmpty(),
    )
    .option('--playground-model <name>', 'which model that is', notEmpty())
    .option('--playground-open-to <people>', 'who may use it: owners or everyone (default: owners)', notEmpty())
    .option('--oidc-issuer <url>', 'people may sign in at this OpenID provider too; its client secret: SVC_OIDC_CLIENT_SECRET', notEmpty())
    .option('--oidc-client-id <id>', 'who the service is there', notEmpty())
    .option('--oidc-name <name>', 'what the button says (default: the host of the issuer)', notEmpty())
    .option(
      '--oidc-domain <domain>',
      'whose people may come in without invitation, by a verified address; may be given several times',
      collect,
    );
}

/** @throws UsageError for flags that need others */
export function consoleOf({
  console,
  publicUrl,
  trustedProxy,
  privateClientHost,
  oidcIssuer,
  oidcClientId,
  oidcName,
  oidcDomain,
  playgroundModelUrl,
  playgroundModel,
  playgroundOpenTo,
}: ConsoleFlags): false | ConsoleOptions {
  const hasOidc = [oidcIssuer, oidcClientId, oidcName, oidcDomain].some((flag) => flag !== undefined);
  const playground = playgroundOf({ playgroundModelUrl, playgroundModel, playgroundOpenTo });
  const hasFlag = hasOidc || [publicUrl, trustedProxy, privateClientHost, playground].some((flag) => flag !== undefined);
  if (!console && hasFlag)
    throw new UsageError(
      '--public-url, --trusted-proxy, --private-client-host, --playground-… and --oidc-… are for the console: leave --no-console out',
    );
  if (!console) return false;
  const withoutOidc = { publicUrl, trustedProxies: trustedProxy, privateClientHosts: privateClientHost, playground };
  if (!hasOidc) return withoutOidc;
  const clientSecret = process.env.SVC_OIDC_CLIENT_SECRET;
  if (!oidcIssuer || !oidcClientId || !clientSecret || !publicUrl)
    throw new UsageError(
      'Signing in at an OpenID provider needs --oidc-issuer, --oidc-client-id, --public-url and the variable SVC_OIDC_CLIENT_SECRET',
    );
  return {
    ...withoutOidc,
    oidc: { issuer: oidcIssuer, clientId: oidcClientId, clientSecret, name: oidcName, allowedDomains: oidcDomain },
  };
}

function playgroundOf({ playgroundModelUrl, playgroundModel, playgroundOpenTo }: PlaygroundFlags): PlaygroundOptions | undefined {
  if (playgroundModelUrl === undefined && playgroundModel === undefined && playgroundOpenTo === undefined) return undefined;
  if (playgroundModelUrl === undefined || playgroundModel === undefined)
    throw new UsageError('A model for the playground needs --playground-model-url and --playground-model');
  if (playgroundOpenTo !== undefined && playgroundOpenTo !== 'owners' && playgroundOpenTo !== 'everyone')
    throw new UsageError('--playground-open-to is owners or everyone');
  const modelKey = process.env.SVC_PLAYGROUND_MODEL_KEY || undefined;
  return { modelUrl: playgroundModelUrl, model: playgroundModel, modelKey, openTo: playgroundOpenTo };
}

/** The address for MCP clients, and the clients that cannot reach it. */
export function appsWords(serviceUrl: string, publicUrl: string | undefined): string {
  const { origin } = new URL(publicUrl ?? serviceUrl);
  const connect = `MCP clients connect to ${origin}/mcp`;
  const isLocal = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin);
  if (publicUrl === undefined && !isLocal) return `${connect} with an agent key; for people to sign in there, start with --public-url`;
  const isPublic = !isLocal && /^https:\/\/[^:]+$/.test(origin);
  const hosted = isPublic ? '' : '; Claude.ai and ChatGPT need a public https address on port 443: --public-url';
  return `${connect}, each person with their own sign-in${hosted}`;
}

/** The address of the console; for a new service the link that creates its first account. */
export function consoleWords(setupLink: string | undefined, url: string): Parts {
  if (setupLink === undefined) return [`Console: ${url}`];
  return [
    "The service has no accounts yet. Create the owner's account, and get keys, here (once, within a day):\n  ",
    styled(['bold', 'underline'], setupLink),
  ];
}

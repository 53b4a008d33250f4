/** The origins of this service, which a `resource` of OAuth may name. `/mcp` names the one at which its caller is. */
import type { Context } from 'hono';
import { LOOPBACK_HOSTS } from '../oauth/issuer';
import type { AppDeps } from './app-deps';
import { originOf } from './origin-of';
import type { RequestEnv } from './request-env';

/**
 * The public one first, if there is one. A client may call `/mcp` by a name of this machine or by an allowed one, while its browser has the console at
 * the public URL. Another program may have another port, so only the port of the service counts, and for a name also that of a proxy.
 */
export function ownOrigins(
  context: Pick<Context<RequestEnv>, 'env' | 'req'>,
  { hosts, publicUrl }: Pick<AppDeps, 'hosts'> & { publicUrl: string | undefined },
): string[] {
  const { env } = context;
  const port = ('incoming' in env && env.incoming.socket.localPort) || undefined;
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const names = hosts.names.filter((name) => name !== publicHost && !LOOPBACK_HOSTS.has(name));
  const found = [
    ...(publicUrl === undefined ? [] : [publicUrl]),
    originOf(context),
    ...names.flatMap((name) => [`https://${name}`, `http://${name}`]),
    ...(port === undefined ? [] : [...LOOPBACK_HOSTS, ...names].map((name) => `http://${name}:${port}`)),
  ];
  return [...new Set(found.map((origin) => new URL(origin).origin))];
}

/** Host and Origin of a request, against DNS rebinding: the specification requires 403 for unknown ones. */
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { type AllowedHosts, isIpAddress } from './allowed-hosts';

/** The refusal; undefined for an allowed host. */
export function refuseHost({ headers }: Request, hosts: AllowedHosts): Response | undefined {
  const host = validateHostHeader(headers.get('host'), namesOf(hosts));
  const isAllowed = host.ok || (hosts.addresses && host.hostname !== undefined && isIpAddress(host.hostname));
  return isAllowed ? undefined : refusal(host.message);
}

/** The refusal; undefined for a request that no page sends, or one of an allowed origin. */
export function refuseOrigin({ headers }: Request, hosts: AllowedHosts, origins: ReadonlySet<string>): Response | undefined {
  const sent = headers.get('origin');
  if (sent !== null && origins.has(sent)) return undefined;
  const origin = validateOriginHeader(sent, namesOf(hosts));
  return origin.ok ? undefined : refusal(origin.message, '--allowed-origin <origin>, or allowedOrigins');
}

function namesOf({ names }: AllowedHosts): string[] {
  return [...localhostAllowedHostnames(), ...names];
}

function refusal(what: string, option = '--allowed-host <name>, or allowedHosts'): Response {
  const message = `${what}. The operator of the service can allow it: svc-service serve ${option} of createService`;
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status: 403 });
}

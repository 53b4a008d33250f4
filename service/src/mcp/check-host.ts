/** Host and Origin of a request, against DNS rebinding: the specification requires 403 for unknown ones. */
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { type AllowedHosts, isIpAddress } from './allowed-hosts';

/** The refusal; undefined for an allowed request. */
export function refuseHost({ headers }: Request, { names, addresses }: AllowedHosts, origins: ReadonlySet<string>): Response | undefined {
  const allowed = [...localhostAllowedHostnames(), ...names];
  const host = validateHostHeader(headers.get('host'), allowed);
  if (!host.ok && !(addresses && host.hostname !== undefined && isIpAddress(host.hostname))) return refusal(host.message);
  const sent = headers.get('origin');
  if (sent !== null && origins.has(sent)) return undefined;
  const origin = validateOriginHeader(sent, allowed);
  return origin.ok ? undefined : refusal(origin.message, '--allowed-origin <origin>, or allowedOrigins');
}

function refusal(what: string, option = '--allowed-host <name>, or allowedHosts'): Response {
  const message = `${what}. The operator of the service can allow it: svc-service serve ${option} of createService`;
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status: 403 });
}

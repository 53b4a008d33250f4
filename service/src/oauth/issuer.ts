export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The issuer identifier of the authorization server (RFC 8414 section 2), which clients compare: one name for all nodes and all callers. Undefined
 * for a service without a public URL that is called by another name than this machine's.
 *
 * @param origin of the request
 */
export function issuerOf(origin: string, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return publicUrl;
  return LOOPBACK_HOSTS.has(new URL(origin).hostname) ? origin : undefined;
}

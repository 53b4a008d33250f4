import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { request } from './request';

type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const PATH = `${ADMIN_PATHS.auth}/passkey`;

/** The fields of a passkey that the console shows. */
export interface Passkey {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => request<Passkey[]>(`${PATH}/list-user-passkeys`, { signal }),
});

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await request<RegistrationOptions>(`${PATH}/generate-register-options`);
  const response = await startRegistration({ optionsJSON });
  await request(`${PATH}/verify-registration`, { method: 'POST', body: { response, name } });
}

export async function renamePasskey(given: { id: string; name: string }): Promise<void> {
  await request(`${PATH}/update-passkey`, { method: 'POST', body: given });
}

export async function removePasskey(id: string): Promise<void> {
  await request(`${PATH}/delete-passkey`, { method: 'POST', body: { id } });
}

/** Passkeys belong to a host name: browsers offer none on an IP address, or on a page without TLS from another machine. */
export function passkeysPossible(): boolean {
  return browserSupportsWebAuthn() && !isAddress(window.location.hostname);
}

/** WebAuthn's errors for a person who closed the dialog or took too long: not a failure. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

/** IPv4, or IPv6 in its brackets. */
function isAddress(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
}

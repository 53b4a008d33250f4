/** Secrets of a request: where each of them goes, and how it is written. */
import { Buffer } from 'node:buffer';
import type { ToolkitAuth } from '#sdk/protocol/connections';

const DEFAULT_KEY_NAME = 'X-API-Key';

export type CredentialKind = 'bearer' | 'basic' | 'apiKey';

export interface CredentialPlace {
  kind: CredentialKind;
  in: 'header' | 'query' | 'cookie';
  name: string;
}

export const BEARER: CredentialPlace = { kind: 'bearer', in: 'header', name: 'authorization' };

/** A part of a request with a secret. */
export interface FixedCredential extends Pick<CredentialPlace, 'in' | 'name'> {
  value: string;
}

/** @param secret a token, `user:password`, or a key */
export function credentialAt({ kind, in: place, name }: CredentialPlace, secret: string): FixedCredential {
  const value = kind === 'bearer' ? `Bearer ${secret}` : kind === 'basic' ? `Basic ${Buffer.from(secret).toString('base64')}` : secret;
  return { in: place, name, value };
}

/** The place of the connection that a toolkit asks for. */
export function placeOfAuth({ type, in: place = 'header', name = DEFAULT_KEY_NAME }: ToolkitAuth): CredentialPlace {
  if (type === 'apiKey') return { kind: type, in: place, name };
  return type === 'basic' ? { ...BEARER, kind: type } : BEARER;
}

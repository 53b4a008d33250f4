/**
 * A cookie of a browser that has signed in to an account: `<account>.<nonce>.<HMAC-SHA-256>`. It opens nothing; it exempts the browser from the
 * limits that strangers may have used up (`attempts.ts`).
 *
 * Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieName, isSecure, readCookie } from './session-cookie';

const NAME = 'svc_device';
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

export interface Device {
  personId: string;
  /** Unique to the browser and its last sign-in. */
  nonce: string;
}

/** A `Set-Cookie` header for a browser that has just signed in. */
export function deviceCookie(personId: string, { secret, publicUrl }: { secret: string; publicUrl: string | undefined }): string {
  const device = { personId, nonce: randomBytes(16).toString('base64url') };
  const value = `${device.personId}.${device.nonce}.${signatureOf(device, secret).toString('base64url')}`;
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${cookieName(NAME, publicUrl)}=${value}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export function hasDeviceCookie(request: Request, publicUrl: string | undefined): boolean {
  return readCookie(request, cookieName(NAME, publicUrl)) !== undefined;
}

/** Undefined for a browser without the cookie, or with a forged one. */
export function deviceOf(request: Request, { secret, publicUrl }: { secret: string; publicUrl: string | undefined }): Device | undefined {
  const [personId, nonce, signature, ...rest] = (readCookie(request, cookieName(NAME, publicUrl)) ?? '').split('.');
  if (!personId || !nonce || !signature || rest.length > 0) return undefined;
  const device = { personId, nonce };
  const given = Buffer.from(signature, 'base64url');
  const wanted = signatureOf(device, secret);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? device : undefined;
}

function signatureOf({ personId, nonce }: Device, secret: string): Buffer {
  return createHmac('sha256', secret).update(`device cookie\n${personId}\n${nonce}`).digest();
}

/** The address of an SMTP server with the account that sends. It has a password, so no error names it. */
import { SvcError } from '#sdk/protocol/errors';

export interface SmtpAddress {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/** @throws SvcError INVALID_REQUEST, without the address */
export function readSmtpAddress(text: string, name: string): SmtpAddress {
  const url = URL.parse(text);
  if (!url || !isSmtp(url.protocol) || url.hostname === '' || (url.pathname !== '' && url.pathname !== '/') || url.search || url.hash)
    throw new SvcError(
      'INVALID_REQUEST',
      `${name} must be smtps://user:password@host:465, or smtp://user:password@host:587; signs in user and password are percent-encoded`,
    );
  const auth = url.username === '' ? undefined : { user: decoded(url.username, name), pass: decoded(url.password, name) };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? PORTS[url.protocol] : Number(url.port), secure: url.protocol === 'smtps:', auth };
}

function isSmtp(protocol: string): protocol is keyof typeof PORTS {
  return Object.hasOwn(PORTS, protocol);
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SvcError('INVALID_REQUEST', `${name}: write a % in user or password as %25`);
  }
}

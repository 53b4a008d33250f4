/** E-mail over SMTP, with nodemailer, which is loaded with the first message. */
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { packageError } from '#sdk/protocol/package-error';
import { isPublicAddress } from '../../lib/public-address';
import { publicLookup } from '../../lib/public-lookup';
import type { AlertChannel } from './alert-channel';
import { type AlertMessage, lineOf } from './alert-message';
import type { SmtpAddress } from './smtp-address';

const AT_ONCE = 20;
const MAX_SUBJECT_CHARS = 150;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

export interface EmailPlace {
  to: readonly string[];
  from: string;
}

export interface SmtpServer extends SmtpAddress {
  /** The operator set it, or allows the host: it may be in a private network. */
  mayBePrivate: boolean;
}

const lookup = promisify(publicLookup((hostname) => `${hostname} is in a private network`));

export function emailChannel({ to, from }: EmailPlace, server: SmtpServer): AlertChannel {
  return {
    atOnce: AT_ONCE,
    async send(messages) {
      const { createTransport } = await loadNodemailer();
      const { host, port, secure, auth } = server;
      const address = server.mayBePrivate ? host : await publicAddressOf(host);
      const servername = isIP(host) === 0 ? { servername: host } : {};
      // A password is sent over TLS only.
      const transport = createTransport({
        host: address,
        port,
        secure,
        requireTLS: !secure && auth !== undefined,
        tls: servername,
        auth,
        ...TIMEOUTS,
      });
      try {
        await transport.sendMail({
          from,
          to: [...to],
          subject: subjectOf(messages),
          text: textOf(messages),
          messageId: `<${messages[0]?.id}@svc-service>`,
          headers: { 'auto-submitted': 'auto-generated' },
        });
      } finally {
        transport.close();
      }
    },
  };
}

async function publicAddressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) {
    if (!isPublicAddress(host)) throw new Error('its host has no public address');
    return host;
  }
  try {
    return String(await lookup(host, {}));
  } catch {
    // The same for a private name and for one that is not there, as in guarded-fetch.ts.
    throw new Error('its host has no public address');
  }
}

function subjectOf(messages: readonly AlertMessage[]): string {
  const [first] = messages;
  if (!first) return '';
  const line = lineOf(first);
  const text = line.length > MAX_SUBJECT_CHARS ? `${line.slice(0, MAX_SUBJECT_CHARS - 1)}…` : line;
  return messages.length === 1 ? text : `${text} (and ${messages.length - 1} more)`;
}

function textOf(messages: readonly AlertMessage[]): string {
  return messages.map((message) => [lineOf(message), ...(message.url === undefined ? [] : [message.url])].join('\n')).join('\n\n');
}

async function loadNodemailer(): Promise<typeof import('nodemailer')> {
  try {
    return await import('nodemailer');
  } catch (error) {
    throw packageError('E-mail', 'nodemailer', error);
  }
}

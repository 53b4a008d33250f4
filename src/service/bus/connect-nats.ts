/**
 * The first connection to NATS. Later ones the client makes by itself, for ever.
 *
 * Units:  milliseconds.
 * Errors: INVALID_REQUEST for what an operator must change, SERVICE_UNAVAILABLE when no server answers; both name the addresses.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { SvcError } from '../../protocol/errors';
import { authenticatorOf } from './nats-login';
import type { NatsModule } from './nats-module';
import type { NatsSettings } from './nats-options';

const DIAL_MS = 2_000;
const RETRY_MS = 250;
const RECONNECT_MS = 200;
const RECONNECT_JITTER_MS = 600;
/** A server that is frozen or cut off is given up after three of them. */
const PING_MS = 2_000;
const LEAST_PAYLOAD_BYTES = 1024;

/** @param patienceMs how long to wait for a server that is not there: in a deployment it may start a little later */
export async function connectNats(nats: NatsModule, settings: NatsSettings, patienceMs: number): Promise<NatsConnection> {
  const options = connectionOptions(nats, settings);
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      const connection = await nats.connect(options);
      await checkServer(connection, settings);
      // The client has forgotten those that did not answer now.
      connection.setServers([...new Set([...settings.servers, ...connection.getServers().map(({ listen }) => listen)])]);
      return connection;
    } catch (error) {
      if (SvcError.is(error)) throw error;
      const cure = cureOf(nats, error);
      if (cure) throw new SvcError('INVALID_REQUEST', `NATS at ${placesOf(settings)}: ${cure}`, {}, { cause: error });
      if (performance.now() + RETRY_MS > end) {
        const reason = reasonOf(error);
        // A server that misses a certificate hangs up without a word.
        const certificate =
          settings.tls && !settings.tls.certFile ? ', or give tls.certFile and tls.keyFile if it asks for a certificate' : '';
        const message = `Cannot reach NATS at ${placesOf(settings)} (${reason}): start nats-server there, or correct the address${certificate}`;
        throw new SvcError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1_000 }, { cause: error });
      }
    }
    await delay(RETRY_MS);
  }
}

export function placesOf({ servers }: NatsSettings): string {
  return servers.join(', ');
}

function connectionOptions(nats: NatsModule, { servers, login, tls }: NatsSettings): NodeConnectionOptions {
  const authenticator = authenticatorOf(nats, login);
  return {
    name: 'svc-sdk',
    servers,
    timeout: DIAL_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // Not at a steady beat: all nodes lose the server at the same moment.
    reconnectDelayHandler: () => RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS,
    // A server may refuse for a while, as when its users are changed.
    ignoreAuthErrorAbort: true,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

async function checkServer(connection: NatsConnection, settings: NatsSettings): Promise<void> {
  const { info } = connection;
  let lack: string | undefined;
  // Headers and "no responders" came together.
  if (!info?.headers) lack = `the server is too old (${info?.version}); use nats-server 2.9 or newer`;
  else if (info.max_payload < LEAST_PAYLOAD_BYTES)
    lack = `its max_payload is ${info.max_payload}; set it to ${LEAST_PAYLOAD_BYTES} at least, best is the default of 1 MB`;
  if (!lack) return;
  await connection.close();
  throw new SvcError('INVALID_REQUEST', `NATS at ${placesOf(settings)}: ${lack}`);
}

/** The error that an operator must fix; undefined for a temporary one. */
function cureOf(nats: NatsModule, error: unknown): string | undefined {
  const { AuthorizationError, UserAuthenticationExpiredError } = nats.errors;
  if (error instanceof AuthorizationError)
    return 'it refuses the login; check user and password, token, credentials or nkey, in the URL or the options';
  if (error instanceof UserAuthenticationExpiredError) return 'the login has expired; get new credentials';
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes("does not support 'tls'"))
    return 'it does not speak TLS; use nats:// without TLS options, or turn TLS on there';
  const code = codeOf(error.cause) ?? codeOf(error) ?? '';
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|ERR_OSSL/.test(code))
    return `TLS fails (${code}); give the certificate of its authority as tls.caFile (--nats-tls-ca), your own where it asks for one, and the name that is in its certificate`;
  return undefined;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error && error.message) || codeOf(error) || 'no reason given';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

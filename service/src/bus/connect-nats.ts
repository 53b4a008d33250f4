/**
 * Opens the first connection to NATS. The client then reconnects without end.
 *
 * Units:  milliseconds.
 * Errors: INVALID_REQUEST for a fault that an operator must fix, SERVICE_UNAVAILABLE when no server answers; both name the addresses.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { SvcError } from '#sdk/protocol/errors';
import { authenticatorOf } from './nats-login';
import type { NatsModule } from './nats-module';
import type { NatsSettings } from './nats-options';

const DIAL_MS = 2_000;
const RETRY_MS = 250;
const RECONNECT_MS = 200;
const RECONNECT_JITTER_MS = 600;
/** A server that misses three pings in a row counts as lost. */
const PING_MS = 2_000;
const LEAST_PAYLOAD_BYTES = 1024;

/** @param patienceMs time to wait for a server that does not answer yet: in a deployment NATS may start a little later */
export async function connectNats(nats: NatsModule, settings: NatsSettings, patienceMs: number): Promise<NatsConnection> {
  const options = connectionOptions(nats, settings);
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      const connection = await nats.connect(options);
      await checkServer(connection, settings);
      // The client has dropped the servers that did not answer now.
      connection.setServers([...new Set([...settings.servers, ...connection.getServers().map(({ listen }) => listen)])]);
      return connection;
    } catch (error) {
      if (SvcError.is(error)) throw error;
      const cure = cureOf(nats, error);
      if (cure) throw new SvcError('INVALID_REQUEST', `NATS at ${placesOf(settings)}: ${cure}`, {}, { cause: error });
      if (performance.now() + RETRY_MS > end) {
        const reason = reasonOf(error);
        // A server that requires a client certificate closes the connection without a reason.
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
    // Jitter, since all nodes lose the server at the same moment.
    reconnectDelayHandler: () => RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS,
    // A server may refuse logins for a while, such as while its users are changed.
    ignoreAuthErrorAbort: true,
    ...(authenticator && { authenticator }),
    ...(tls && { tls }),
  };
}

async function checkServer(connection: NatsConnection, settings: NatsSettings): Promise<void> {
  const { info } = connection;
  let lack: string | undefined;
  // Servers without headers have no "no responders" either.
  if (!info?.headers) lack = `the server is too old (${info?.version}); use nats-server 2.9 or newer`;
  else if (info.max_payload < LEAST_PAYLOAD_BYTES)
    lack = `its max_payload is ${info.max_payload}; set it to ${LEAST_PAYLOAD_BYTES} at least, best is the default of 1 MB`;
  if (!lack) return;
  await connection.close();
  throw new SvcError('INVALID_REQUEST', `NATS at ${placesOf(settings)}: ${lack}`);
}

/** The advice for an error that an operator must fix; undefined for a temporary error. */
function cureOf(nats: NatsModule, error: unknown): string | undefined {
  const { AuthorizationError, UserAuthenticationExpiredError } = nats.errors;
  if (error instanceof AuthorizationError)
    return 'it refuses the login; check user and password, token, credentials or nkey, in the URL or the options';
  if (error instanceof UserAuthenticationExpiredError) return 'the login has expired; get new credentials';
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes("does not support 'tls'"))
    return 'it does not support TLS; use nats:// without TLS options, or turn TLS on there';
  const code = codeOf(error.cause) ?? codeOf(error) ?? '';
  if (/CERT|SIGNATURE|ERR_TLS|ERR_SSL|ERR_OSSL/.test(code))
    return `TLS fails (${code}); give the server's CA certificate as tls.caFile (--nats-tls-ca), a client certificate if the server asks for one, and a host name that is in the server's certificate`;
  return undefined;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error && error.message) || codeOf(error) || 'no reason given';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

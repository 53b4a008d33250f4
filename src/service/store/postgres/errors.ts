/**
 * What can go wrong with PostgreSQL, as errors that tell the next step.
 *
 * Source: SQLSTATE codes, PostgreSQL's appendix A. What the server or the driver says holds no password; it goes to people who run the service,
 *         and to callers of it only as a cause.
 */
import { SvcError } from '../../../protocol/errors';
import type { Place } from './connection';

const RETRY_AFTER_MS = 1_000;

/** Lost connections, conflicts of transactions, a full disk or too many connections, a lock or statement that took too long, a server that stops. */
const PASSING = /^(?:08|40|53|57|58|55P03|25006)/;
/** Serialisation and deadlock. */
const CONFLICT = /^40/;

const CURES: Record<string, (place: Place) => string> = {
  '28P01': () => 'check user and password in the URL',
  '28000': () => "check the user in the URL, and the server's pg_hba.conf",
  '3D000': ({ name }) => `make it with: createdb ${name}`,
  '42501': ({ user, name }) => `make ${user || 'the user'} the owner of the database: ALTER DATABASE "${name}" OWNER TO "${user}"`,
  '53300': () => 'raise max_connections of the server; a node of the service takes up to a dozen',
};

/** SERVICE_UNAVAILABLE for a fault that passes, with the driver's error as its cause; undefined for any other. */
export function asUnavailable(error: unknown): SvcError | undefined {
  if (SvcError.is(error)) return error.code === 'SERVICE_UNAVAILABLE' ? error : undefined;
  if (!passes(error)) return undefined;
  const message = 'The service cannot reach its database now; try again';
  return new SvcError('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS }, { cause: error });
}

/** The same transaction may pass when it is tried again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(sqlStateOf(error) ?? '');
}

/** An error of the first look at a database: INVALID_REQUEST, or SERVICE_UNAVAILABLE where time may be the cure. */
export function asOpenFailure(error: unknown, place: Place): unknown {
  const cause = asUnavailable(error)?.cause ?? error;
  if (!(cause instanceof Error) || SvcError.is(cause)) return error;
  const state = sqlStateOf(cause);
  const cure = CURES[state ?? '']?.(place);
  const passing = passes(cause) && !aboutTls(cause);
  if (!passing && cure === undefined && !aboutTls(cause)) return error;
  const advice = cure ?? (aboutTls(cause) ? 'see sslmode and sslrootcert of the URL' : 'start it, or check host and port of the URL');
  const message = `Cannot open the database ${place.shown}: ${saidBy(cause)}; ${advice}`;
  return new SvcError(passing ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST', message, {}, { cause });
}

function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlStateOf(error);
  if (state !== undefined) return PASSING.test(state);
  // Whatever else the driver rejects with is about the connection. A TypeError would be a fault of ours.
  return error.name === 'Error' || error instanceof AggregateError;
}

function aboutTls(error: Error): boolean {
  const { code = '' } = error as { code?: string };
  return /SSL|TLS/.test(error.message) || /CERT|SSL|TLS/.test(code);
}

/** Undefined when the error is not the server's own: system errors have codes of another kind. */
function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error)) return undefined;
  return (error as { code?: string }).code;
}

/** `localhost` is tried by IPv6 and by IPv4: then the message is empty, and the errors are inside. */
function saidBy(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message;
}

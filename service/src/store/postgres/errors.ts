/**
 * Errors of PostgreSQL, with the next step in their messages.
 *
 * Source: SQLSTATE codes, PostgreSQL's appendix A. Messages of the server and the driver contain no password. Operators see them; callers of the
 *         service do not.
 */
import { SvcError } from '#sdk/protocol/errors';
import { AWAY, diskFull, StoreUnavailable } from '../store-unavailable';
import type { DatabaseAddress } from './database-address';

/** Transient: lost connection, conflict, full disk, too many connections, lock, statement or transaction timeout, shutdown of the server. */
const PASSING = /^(?:08|40|53|57|58|55P03|25006|25P03)/;
const DISK_FULL = '53100';
/** A lost connection, or a server that shut down: whether it carried out the statement is not known. */
const LOST = /^(?:08|57P)/;
/** Serialisation failure and deadlock. */
const CONFLICT = /^40/;

const CURES: Record<string, (address: DatabaseAddress) => string> = {
  '28P01': () => 'check user and password in the URL',
  '28000': () => "check the user in the URL, and the server's pg_hba.conf",
  '3D000': ({ name }) => `create it with: createdb ${name}`,
  '42501': ({ user, name }) => `make ${user || 'the user'} the owner of the database: ALTER DATABASE "${name}" OWNER TO "${user}"`,
  '53300': () => 'raise max_connections of the server; a node of the service takes up to a dozen',
};

/** SERVICE_UNAVAILABLE for a transient fault, with the driver's error as its cause; undefined for any other. */
export function asUnavailable(error: unknown, mayBeStored = false): SvcError | undefined {
  if (SvcError.is(error)) return error.code === 'SERVICE_UNAVAILABLE' ? error : undefined;
  if (!passes(error)) return undefined;
  if (sqlStateOf(error) === DISK_FULL) return diskFull(error);
  return new StoreUnavailable(AWAY, 'The service cannot reach its database now; try again', error, mayBeStored);
}

/** The same for a statement that was sent: unless the server says that it failed, it may have been carried out. */
export function asUnanswered(error: unknown): SvcError | undefined {
  return asUnavailable(error, LOST.test(sqlStateOf(error) ?? '08'));
}

/** True when the same transaction may succeed if it is retried at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(sqlStateOf(error) ?? '');
}

/** The error when a database cannot be opened: SERVICE_UNAVAILABLE for a transient fault, otherwise INVALID_REQUEST. */
export function asOpenFailure(error: unknown, address: DatabaseAddress): unknown {
  const cause = asUnavailable(error)?.cause ?? error;
  if (!(cause instanceof Error) || SvcError.is(cause)) return error;
  const state = sqlStateOf(cause);
  const cure = CURES[state ?? '']?.(address);
  const passing = passes(cause) && !aboutTls(cause);
  if (!passing && cure === undefined && !aboutTls(cause)) return error;
  const advice = cure ?? (aboutTls(cause) ? 'see sslmode and sslrootcert of the URL' : 'start it, or check host and port of the URL');
  const message = `Cannot open the database ${address.shown}: ${saidBy(cause)}; ${advice}`;
  return new SvcError(passing ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST', message, {}, { cause });
}

function passes(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlStateOf(error);
  if (state !== undefined) return PASSING.test(state);
  // Other plain errors of the driver are connection errors. A TypeError would be a bug in this package.
  return error.name === 'Error' || error instanceof AggregateError;
}

function aboutTls(error: Error): boolean {
  const { code = '' } = error as { code?: string };
  return /SSL|TLS/.test(error.message) || /CERT|SSL|TLS/.test(code);
}

/** Undefined for an error that does not come from the server: system errors have other codes. */
function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error)) return undefined;
  return (error as { code?: string }).code;
}

/** The driver tries `localhost` with IPv6 and IPv4. Then the message is empty, and the errors are inside. */
function saidBy(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(({ message }) => message).join(', ') : error.message;
}

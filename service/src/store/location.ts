/** Location of the data: a directory, a database, or, with neither, memory. */
import { existsSync, mkdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { SvcError } from '#sdk/protocol/errors';

export type Location = { data?: string | undefined; database?: undefined } | { data?: undefined; database: string };

export type LastingLocation = { data: string; database?: undefined } | { data?: undefined; database: string };

/** A directory, or the URL of a database. */
export type DataPlace = string | { database: string };

export function locationOf(place: DataPlace): LastingLocation {
  return typeof place === 'string' ? { data: place } : place;
}

const FILE = 'svc.sqlite';

/** @throws SvcError INVALID_REQUEST for both */
export function readLocation({ data, database }: { data?: string | undefined; database?: string | undefined }): Location {
  if (database === undefined) return { data };
  if (data === undefined) return { database };
  throw new SvcError('INVALID_REQUEST', 'The data are in a directory (data) or in a database (database): set only one of them');
}

/** The database file in a data directory. Creates the directory if it is missing. */
export function fileIn(data: string): string {
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    const message = `Cannot make the data directory ${data}: ${(error as Error).message}; name another with --data`;
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
  return join(data, FILE);
}

/** @throws SvcError NOT_FOUND for a directory without data */
export function existingFileIn(data: string): string {
  const file = join(data, FILE);
  if (existsSync(file)) return file;
  throw new SvcError(
    'NOT_FOUND',
    `There is no data of a service in ${resolve(data)}: name the directory that the service was started with`,
  );
}

export function requireSqlite(): void {
  if (isBuiltin('node:sqlite')) return;
  throw new SvcError('INVALID_REQUEST', `The service needs Node 22.13 or newer, for its SQLite; this is Node ${process.versions.node}`);
}

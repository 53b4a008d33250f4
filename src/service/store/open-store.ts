/** The store of a data directory, or one in memory. */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SvcError } from '../../protocol/errors';
import type { Logger } from '../logger';
import { openSqliteKeys, openSqliteStore } from './sqlite/open';
import type { Store } from './store';

const FILE = 'svc.sqlite';

/**
 * Returns the file.
 *
 * @throws SvcError NOT_FOUND for a directory without data
 */
export function requireStore(data: string): string {
  const file = join(data, FILE);
  if (existsSync(file)) return file;
  throw new SvcError(
    'NOT_FOUND',
    `There is no data of a service in ${resolve(data)}: name the directory that the service was started with`,
  );
}

/** @throws SvcError INVALID_REQUEST that names the path and the cure */
export async function openStore({ data, logger }: { data: string | undefined; logger: Logger }): Promise<Store> {
  const onError = (error: unknown) => logger.error({ error }, 'the store failed');
  return openSqliteStore({ path: data === undefined ? ':memory:' : fileIn(data), onError });
}

/** All of a data directory but its calls, also beside a running service. */
export async function openKeyStore(data: string): Promise<Omit<Store, 'invocations'>> {
  return openSqliteKeys({ path: fileIn(data) });
}

/** The file of a data directory, which is made when it is missing. */
export function fileIn(data: string): string {
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    const message = `Cannot make the data directory ${data}: ${(error as Error).message}; name another with --data`;
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  }
  return join(data, FILE);
}

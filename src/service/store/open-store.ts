/** The store of a data directory, or one in memory. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../protocol/errors';
import type { Logger } from '../logger';
import { openSqliteStore } from './sqlite/open';
import type { Store } from './store';

const FILE = 'svc.sqlite';

export function hasStore(data: string): boolean {
  return existsSync(join(data, FILE));
}

/** @throws SvcError INVALID_REQUEST that names the path and the cure */
export async function openStore({ data, logger }: { data: string | undefined; logger: Logger }): Promise<Store> {
  const onError = (error: unknown) => logger.error({ error }, 'the store failed');
  if (data === undefined) return openSqliteStore({ path: ':memory:', onError });
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    throw new SvcError(
      'INVALID_REQUEST',
      `Cannot make the data directory ${data}: ${(error as Error).message}; name another with --data`,
      {},
      { cause: error },
    );
  }
  return openSqliteStore({ path: join(data, FILE), onError });
}

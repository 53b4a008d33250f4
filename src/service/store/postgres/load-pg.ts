/** The driver is an optional peer of the package: most services run on SQLite. */
import type * as Pg from 'pg';
import { SvcError } from '../../../protocol/errors';

export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', 'PostgreSQL needs its driver: npm install pg', {}, { cause: error });
  }
}

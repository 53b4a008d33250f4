/** The driver is an optional peer of the package: most services run on SQLite. */
import type * as Pg from 'pg';
import { packageError } from '../../../protocol/package-error';

export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw packageError('PostgreSQL', 'pg', error);
  }
}

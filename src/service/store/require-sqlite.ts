/** Says on a Node without `node:sqlite` what is missing, in place of a stack about a module. */
import { isBuiltin } from 'node:module';
import { SvcError } from '../../protocol/errors';

export function requireSqlite(): void {
  if (isBuiltin('node:sqlite')) return;
  throw new SvcError('INVALID_REQUEST', `The service needs Node 22.13 or newer, for its SQLite; this is Node ${process.versions.node}`);
}

/** Data of versions before 0.8: sessions with readable tokens, and accounts with several identities of a provider. */
import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const MIGRATIONS = new URL('../../src/store/migrations/', import.meta.url);
const NEW = '0011-session-hashes.sql';

test('sessions end, and of several logins of an account or a subject the first stays', () => {
  const database = new DatabaseSync(':memory:');
  const apply = (file: string) => database.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
  for (const file of readdirSync(MIGRATIONS).sort()) if (file < NEW) apply(file);
  const insert = (table: string, row: Record<string, string | number>) => {
    const marks = Object.keys(row).map(() => '?');
    database.prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${marks})`).run(...Object.values(row));
  };
  const times = { created_at: '2026-01-01', updated_at: '2026-01-01' };
  for (const id of ['ada', 'bob'])
    insert('people', { id, name: id, email: `${id}@example.com`, email_verified: 1, role: 'member', ...times });
  insert('sessions', { id: 'ses', person_id: 'ada', token: 'readable', expires_at: '2027-01-01', ...times });
  const login = (id: string, person_id: string, account_id: string, provider_id = 'oidc') =>
    insert('logins', { id, person_id, account_id, provider_id, ...times });
  login('1', 'ada', 'ada', 'credential');
  login('2', 'ada', 'first subject');
  login('3', 'ada', 'second subject');
  login('4', 'bob', 'first subject');
  apply(NEW);
  expect(database.prepare('SELECT id, provider_id FROM logins ORDER BY id').all()).toEqual([
    { id: '1', provider_id: 'credential' },
    { id: '2', provider_id: 'oidc-without-issuer' },
  ]);
  expect(database.prepare('SELECT id FROM sessions').all()).toEqual([]);
  database.close();
});

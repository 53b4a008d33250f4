/** Accounts at another service, as if people had connected them. Their seal opens with no key. */
import { DatabaseSync } from 'node:sqlite';
import type { ToolkitAuth } from '../../src/protocol/connections.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const CALENDAR_AUTH: ToolkitAuth = {
  type: 'oauth2',
  from: 'user',
  help: 'Your calendar',
  authorizationUrl: 'https://accounts.example/authorize',
  tokenUrl: 'https://accounts.example/token',
  scopes: ['events:read', 'events:write'],
};

export function writeAccounts(file: string, { email, now }: { email: string; now: number }): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000');
  const person = database.prepare('SELECT id FROM people WHERE email = ?').get(email);
  const accounts = [
    { name: 'work', account: email, isDefault: 1, connectedAt: now - 20 * DAY_MS, usedAt: now - 4 * MINUTE_MS },
    { name: 'home', account: 'maya@home.example', isDefault: 0, connectedAt: now - 3 * DAY_MS, usedAt: now - 2 * DAY_MS },
  ];
  const insert = database.prepare(
    `INSERT INTO connections (id, toolkit_id, owner, name, is_default, status, type, sealed, sealed_by, version, scopes, account, refreshed_at,
     refreshing_until, created_at, connected_at, used_at, created_by) VALUES (?, 'calendar', ?, ?, ?, 'live', 'oauth2', '', '', 1, ?, ?, ?, 0, ?, ?, ?, ?)`,
  );
  for (const [index, { name, account, isDefault, connectedAt, usedAt }] of accounts.entries())
    insert.run(
      ...[`con_${accounts.length - index}`, `person:${person?.id}`, name, isDefault, 'events:read events:write', account],
      ...[connectedAt, connectedAt, connectedAt, usedAt, `${person?.id}`],
    );
  database.close();
}

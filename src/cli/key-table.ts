/** Keys for people to read: one line each, columns as wide as they must be. */
import type { KeyInfo } from 'svc-sdk/service';

const HEAD = ['id', 'kind', 'name', 'for', 'state', 'made'];

export function keyTable(keys: KeyInfo[]): string {
  const rows = [HEAD, ...keys.map((key) => [key.id, key.kind, key.name, reach(key), state(key), key.createdAt])];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function reach({ kind, toolkit, allow, callsPerMinute }: KeyInfo): string {
  if (kind === 'admin') return 'all keys';
  if (kind === 'toolkit') return toolkit ?? '';
  const allowed = allow ? [...allow.toolkits, ...allow.actions].join(', ') : 'all actions';
  return callsPerMinute === undefined ? allowed : `${allowed}, ${callsPerMinute} a minute`;
}

function state({ expiresAt, revokedAt }: KeyInfo): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return 'valid';
  return `${Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired'} ${expiresAt}`;
}

/** Formats keys for people: one line each. */
import type { Budget, KeyInfo } from 'svc-service';

const HEAD = ['id', 'kind', 'name', 'for', 'state', 'made'];

export function keyTable(keys: KeyInfo[]): string[][] {
  return [HEAD, ...keys.map((key) => [key.id, key.kind, key.name, reach(key), state(key), second(key.createdAt)])];
}

/** Amounts without a currency: that is an option of the running service. */
export function budgetText({ perCall, perDay }: Budget): string {
  return `${perCall} a call and ${perDay} a day`;
}

function reach({ kind, toolkit, allow, callsPerMinute, budget, rules, code }: KeyInfo): string {
  if (kind === 'admin') return 'all keys';
  if (kind === 'toolkit') return toolkit ?? '';
  const allowed = allow ? [...allow.toolkits, ...allow.actions].join(', ') : 'all actions';
  return [
    allowed,
    callsPerMinute !== undefined && `${callsPerMinute} a minute`,
    budget && budgetText(budget),
    rules && `${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`,
    code && 'code',
  ]
    .filter(Boolean)
    .join(', ');
}

function state({ expiresAt, revokedAt }: KeyInfo): string {
  if (revokedAt !== undefined) return `revoked ${second(revokedAt)}`;
  if (expiresAt === undefined) return 'valid';
  return `${Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired'} ${second(expiresAt)}`;
}

/** A time without milliseconds, to fit a table of 80 columns. */
function second(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

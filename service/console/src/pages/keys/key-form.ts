/** Rules that all forms of a key share. */
import type { ScopeRow } from './key-scope';

/** The service refuses a longer name. */
export const MAX_KEY_NAME_CHARS = 64;

export function checkKeyName(name: string): string | null {
  return name.trim() === '' ? 'Enter a name' : null;
}

export function checkScope(rows: readonly ScopeRow[] | null): string | null {
  return rows?.length === 0 ? 'Add a toolkit, or allow all actions' : null;
}

/** An empty number input has the value ''. */
export function readLimit(value: number | string): number | undefined {
  return value === '' ? undefined : Number(value);
}

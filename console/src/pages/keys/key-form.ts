/** What the forms of a key have in common. */
import type { ScopeRow } from './key-scope';

/** The service takes no longer one. */
export const MAX_KEY_NAME_CHARS = 64;

export function checkKeyName(name: string): string | null {
  return name.trim() === '' ? 'Enter a name' : null;
}

export function checkScope(rows: readonly ScopeRow[] | null): string | null {
  return rows?.length === 0 ? 'Add a toolkit, or allow all actions' : null;
}

/** A number input that is empty gives ''. */
export function readLimit(value: number | string): number | undefined {
  return value === '' ? undefined : Number(value);
}

/** SQLite takes 32,766 parameters in one statement, PostgreSQL 65,535; no row needs more than 10. */
const ROWS_PER_STATEMENT = 1_000;

export function inPieces<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) => items.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT));
}

/** Hides Node 22's warning at the first use of `node:sqlite`, which needs no action. All other warnings are shown. */
export function quietSqlite(): void {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}

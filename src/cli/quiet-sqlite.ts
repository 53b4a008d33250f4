/** Node 22 warns at the first use of `node:sqlite`, which is of no use to who runs the command. Every other warning is still shown. */
const { emitWarning } = process;

process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
};

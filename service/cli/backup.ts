/** `svc-service backup`: copies a data directory into one file. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { backupData, recordBackup } from 'svc-service';
import { shellWord } from '#sdk/cli/options';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { interruptible } from './interruptible';
import { addPlaceFlags, type PlaceFlags, placeOf } from './place';
import { transferProgress } from './transfer-progress';

interface BackupFlags extends PlaceFlags {
  force?: true;
  made?: true;
}

export function addBackupCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('backup')
    .description('Copy the data directory of a service, whether it runs or not, into one SQLite file')
    .argument('[file]', 'made for your eyes only: it holds hashes of keys and results of calls')
    .option('--force', 'replace the file when it is there')
    .option('--made', 'make none: record that another program made one, such as pg_dump')
    .addHelpText(
      'after',
      `
To restore it: put it as svc.sqlite into an empty directory, and start the
service on that. secrets.key, which opens the accounts that users connected,
is not in it: copy it to another place, and put it into the directory too.`,
    )
    .action((file: string | undefined, flags: BackupFlags) => backup(terminal, file, flags));
  addPlaceFlags(command, 'data directory of the service');
}

async function backup(terminal: Terminal, file: string | undefined, { force, made, ...flags }: BackupFlags): Promise<void> {
  const place = placeOf(flags);
  if ((file === undefined) !== (made === true))
    throw new UsageError('Name the file of the backup, or say with --made that another program made one');
  if (file === undefined) {
    await recordBackup(place);
    return terminal.show({ recorded: true }, 'The backup is recorded: the console shows its time');
  }
  if (typeof place !== 'string')
    throw new UsageError(
      `PostgreSQL has a command of its own for backups: pg_dump --format=custom --file=${shellWord(file)} "$SVC_DATABASE_URL" && svc-service backup --made`,
    );
  const isDone = await interruptible(terminal, async (signal) => {
    await backupData(place, { to: file, force, signal, onProgress: transferProgress(terminal, 'Copied') });
    return true;
  });
  if (!isDone) return;
  const key = join(place, 'secrets.key');
  const withoutKey = existsSync(key) ? `, without ${key}, which opens the connections in it` : '';
  terminal.show({ from: place, to: resolve(file) }, `${place} is copied to ${resolve(file)}${withoutKey}`);
}

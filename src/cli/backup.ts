/** `svc-sdk backup`: a data directory as one file. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backupData } from 'svc-sdk/service';
import { interruptible } from './interruptible';
import { DEFAULT_DATA } from './options';

interface BackupFlags {
  data: string;
  force?: true;
}

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('Copy the data directory of a service, whether it runs or not, into one SQLite file')
    .argument('<file>', 'made for your eyes only: it holds hashes of keys and results of calls')
    .option('--data <dir>', 'data directory of the service', DEFAULT_DATA)
    .option('--force', 'replace the file when it is there')
    .addHelpText('after', '\nTo restore it: put it as svc.sqlite into an empty directory, and start the service on that.')
    .action(backup);
}

async function backup(file: string, { data, force }: BackupFlags): Promise<void> {
  const isDone = await interruptible(async (signal) => {
    await backupData(data, { to: file, force, signal });
    return true;
  });
  if (isDone) console.log(`${data} is copied to ${resolve(file)}`);
}

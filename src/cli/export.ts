/** `svc-sdk export`: all that lasts as JSON lines, for any engine. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportData } from 'svc-sdk/service';
import { interruptible } from './interruptible';
import { DEFAULT_DATA } from './options';
import { rowCounts } from './row-counts';

interface ExportFlags {
  data: string;
  force?: true;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Write all data as JSON lines, for svc-sdk import')
    .argument('<file>', 'made for your eyes only: it holds hashes of keys and results of calls; - is standard output')
    .option('--data <dir>', 'data directory of the service, whether it runs or not', DEFAULT_DATA)
    .option('--force', 'replace the file when it is there')
    .action(exportAll);
}

async function exportAll(file: string, { data, force }: ExportFlags): Promise<void> {
  const to = file === '-' ? process.stdout : file;
  const counts = await interruptible((signal) => exportData({ data, to, force, signal }));
  // Not on standard output, which may be the export.
  if (counts) console.error(`Exported to ${file === '-' ? 'standard output' : resolve(file)}: ${rowCounts(counts)}`);
}

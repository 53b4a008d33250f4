/** `svc-service export`: writes all durable data as JSON lines, for any engine. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportData } from 'svc-service';
import type { Terminal } from '#sdk/cli/terminal';
import { UsageError } from '#sdk/cli/usage-error';
import { interruptible } from './interruptible';
import { addPlaceFlags, type PlaceFlags, placeOf } from './place';
import { rowCounts } from './row-counts';
import { transferProgress } from './transfer-progress';

interface ExportFlags extends PlaceFlags {
  force?: true;
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('export')
    .description('Write all data as JSON lines, for svc-service import')
    .argument('<file>', 'made for your eyes only: it holds hashes of keys and results of calls; - is standard output')
    .option('--force', 'replace the file when it is there')
    .action((file: string, flags: ExportFlags) => exportAll(terminal, file, flags));
  addPlaceFlags(command, 'data directory of the service, whether it runs or not');
}

async function exportAll(terminal: Terminal, file: string, { force, ...flags }: ExportFlags): Promise<void> {
  const place = placeOf(flags);
  const onProgress = transferProgress(terminal, 'Exported');
  // A pipe without a reader blocks the process, so a signal ends it; no cleanup is needed.
  if (file === '-' && terminal.columns !== undefined)
    throw new UsageError('The data hold texts of strangers, which a terminal would execute: name a file, or redirect the output to one');
  if (file === '-') return reportCounts(terminal, 'standard output', await exportData(place, { to: terminal.stdout, onProgress }));
  const counts = await interruptible(terminal, (signal) => exportData(place, { to: file, force, signal, onProgress }));
  if (counts) reportCounts(terminal, resolve(file), counts);
}

/** Not on standard output, which may contain the export. */
function reportCounts(terminal: Terminal, where: string, counts: Record<string, number>): void {
  terminal.note(`Exported to ${where}: ${rowCounts(counts)}`);
}

/** `svc-sdk import`: what `svc-sdk export` has written, into new data. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { importData } from 'svc-sdk/service';
import { DEFAULT_DATA } from './options';
import { rowCounts } from './row-counts';

interface ImportFlags {
  data: string;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('Read what svc-sdk export has written into new data: all of it, or nothing')
    .argument('<file>', '- is standard input')
    .option('--data <dir>', 'data directory, new or empty, without a service', DEFAULT_DATA)
    .action(importAll);
}

async function importAll(file: string, { data }: ImportFlags): Promise<void> {
  const counts = await importData(data, { from: file === '-' ? process.stdin : file });
  console.log(`Imported into ${resolve(data)}: ${rowCounts(counts)}`);
}

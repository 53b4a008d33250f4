/** `svc-sdk import`: what `svc-sdk export` has written, into new data. */
import type { Command } from 'commander';
import { importData } from 'svc-sdk/service';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';
import { rowCounts } from './row-counts';

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description('Read what svc-sdk export has written into new data: all of it, or nothing')
    .argument('<file>', '- is standard input')
    .action(importAll);
  addPlaceFlags(command, 'data directory, new or empty, on which no service runs');
}

async function importAll(file: string, flags: PlaceFlags): Promise<void> {
  const place = placeOf(flags);
  const counts = await importData(place, { from: file === '-' ? process.stdin : file });
  console.log(`Imported into ${shownPlace(place)}: ${rowCounts(counts)}`);
}

/** `svc-service import`: reads an export of `svc-service export` into new data. */
import type { Command } from 'commander';
import { importData } from 'svc-service';
import type { Terminal } from '#sdk/cli/terminal';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';
import { rowCounts } from './row-counts';
import { transferProgress } from './transfer-progress';

export function addImportCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('import')
    .description('Read what svc-service export has written into new data: all of it, or nothing')
    .argument('<file>', '- is standard input')
    .action((file: string, flags: PlaceFlags) => importAll(terminal, file, flags));
  addPlaceFlags(command, 'data directory, new or empty, on which no service runs');
}

async function importAll(terminal: Terminal, file: string, flags: PlaceFlags): Promise<void> {
  const place = placeOf(flags);
  const counts = await importData(place, {
    from: file === '-' ? terminal.stdin : file,
    onProgress: transferProgress(terminal, 'Read'),
  });
  terminal.show({ to: shownPlace(place), counts }, `Imported into ${shownPlace(place)}: ${rowCounts(counts)}`);
}

/** `svc-service migrate`: migrates data to this version's schema, as every start does. */
import type { Command } from 'commander';
import { migrateData } from 'svc-service';
import type { Terminal } from '#sdk/cli/terminal';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';

interface MigrateOptions extends PlaceFlags {
  check?: boolean;
}

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('migrate')
    .description('Bring data to the version of this svc-service, as a start on them does; it cannot be undone')
    .option('--check', 'change nothing; the exit code is 1 when there is something to do')
    .action((options: MigrateOptions) => migrate(terminal, options));
  addPlaceFlags(command, 'data directory of the service, whether it runs or not');
}

async function migrate(terminal: Terminal, { check = false, ...flags }: MigrateOptions): Promise<void> {
  const place = placeOf(flags);
  const { from, to } = await migrateData(place, { check });
  const where = shownPlace(place);
  terminal.show({ data: where, from, to }, migrationText(where, { from, to, check }));
  if (check && from !== to) terminal.exitCode = 1;
}

function migrationText(where: string, { from, to, check }: { from: number; to: number; check: boolean }): string {
  if (from === to) return `${where} has version ${to}: nothing to do`;
  if (!check) return `${where} went from version ${from} to ${to}`;
  return `${where} has version ${from}, this svc-service has ${to}: svc-service migrate brings it there, and so does a start`;
}

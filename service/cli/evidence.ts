/** `svc-service evidence`: the evidence that a service has collected from use. */
import type { Command } from 'commander';
import { openEvidence, type StoredEvidence } from 'svc-service';
import { columns } from '#sdk/cli/columns';
import type { Terminal } from '#sdk/cli/terminal';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';

export function addEvidenceCommand(program: Command, terminal: Terminal): void {
  const evidence = program.command('evidence').description('Show, export or clear what search has learned from use');
  withPlace(evidence.command('show').description('Tell how much there is')).action(async (where: PlaceFlags) => {
    const summary = await on(where, (stored) => stored.summary());
    if (terminal.isRead) terminal.print(columns(Object.entries(summary).map(([name, value]) => [name, `${value}`])));
    else terminal.printJson(summary);
  });
  withPlace(
    evidence
      .command('export')
      .description('Print past queries with the action that served each, as JSON lines; needs a service that runs with --learning text'),
  ).action(async (where: PlaceFlags) => {
    for (const query of await on(where, (stored) => stored.log())) terminal.printJsonLine(query);
  });
  withPlace(evidence.command('clear').description('Forget all of it, for good')).action(async (where: PlaceFlags) => {
    await on(where, (stored) => stored.clear());
    const place = shownPlace(placeOf(where));
    terminal.show({ cleared: place }, `The evidence in ${place} is forgotten`);
  });
}

function withPlace(command: Command): Command {
  return addPlaceFlags(command, 'data directory of the service, whether it runs or not');
}

async function on<T>(where: PlaceFlags, use: (stored: StoredEvidence) => Promise<T>): Promise<T> {
  const stored = await openEvidence(placeOf(where));
  try {
    return await use(stored);
  } finally {
    await stored.close();
  }
}

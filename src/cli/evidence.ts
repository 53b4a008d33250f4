/** `svc-sdk evidence`: what a service has learned from use. */
import type { Command } from 'commander';
import { openEvidence, type StoredEvidence } from 'svc-sdk/service';
import { addPlaceFlags, type PlaceFlags, placeOf, shownPlace } from './place';

export function addEvidenceCommand(program: Command): void {
  const evidence = program.command('evidence').description('What search has learned from use: how much, as a log, or clear it');
  withPlace(evidence.command('show').description('Tell how much there is')).action(async (where: PlaceFlags) => {
    console.log(JSON.stringify(await on(where, (stored) => stored.summary()), null, 2));
  });
  withPlace(
    evidence
      .command('export')
      .description('Print past queries with the action that served each, as JSON lines; needs a service that runs with --learning text'),
  ).action(async (where: PlaceFlags) => {
    for (const query of await on(where, (stored) => stored.log())) console.log(JSON.stringify(query));
  });
  withPlace(evidence.command('clear').description('Forget all of it, for good')).action(async (where: PlaceFlags) => {
    await on(where, (stored) => stored.clear());
    console.log(`What was learned in ${shownPlace(placeOf(where))} is forgotten`);
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

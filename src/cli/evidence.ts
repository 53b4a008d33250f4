/** `svc-sdk evidence`: what a service has learned from use. */
import type { Command } from 'commander';
import { openEvidence, type StoredEvidence } from 'svc-sdk/service';
import { DEFAULT_DATA } from './options';

interface Where {
  data: string;
}

export function addEvidenceCommand(program: Command): void {
  const evidence = program.command('evidence').description('What search has learned from use: how much, as a log, or clear it');
  withData(evidence.command('show').description('Tell how much there is')).action(async (where: Where) => {
    console.log(JSON.stringify(await on(where, (stored) => stored.summary()), null, 2));
  });
  withData(
    evidence
      .command('export')
      .description('Print past queries with the action that served each, as JSON lines; needs a service that runs with --learning text'),
  ).action(async (where: Where) => {
    for (const query of await on(where, (stored) => stored.log())) console.log(JSON.stringify(query));
  });
  withData(evidence.command('clear').description('Forget all of it, for good')).action(async (where: Where) => {
    await on(where, (stored) => stored.clear());
    console.log(`What was learned in ${where.data} is forgotten`);
  });
}

function withData(command: Command): Command {
  return command.option('--data <dir>', 'data directory of the service, whether it runs or not', DEFAULT_DATA);
}

async function on<T>({ data }: Where, use: (stored: StoredEvidence) => Promise<T>): Promise<T> {
  const stored = await openEvidence(data);
  try {
    return await use(stored);
  } finally {
    await stored.close();
  }
}

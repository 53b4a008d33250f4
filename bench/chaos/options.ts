/** `npm run chaos -- …`: docs in bench/README.md. */
import { Command, InvalidArgumentError } from 'commander';
import { FAULT_KINDS, type FaultKind } from './faults.ts';

export interface ChaosOptions {
  seconds: number;
  seed: string;
  nodes: number;
  toolkits: number;
  replicas: number;
  rate: number;
  faults: readonly FaultKind[];
  sqlite: boolean;
  rolling: boolean;
  /** For `svc-sdk serve`. */
  limit: string[];
  keep: boolean;
  json?: string;
}

/** Ends the process with a message when an option is wrong. */
export function readOptions(args: readonly string[]): ChaosOptions {
  const command = new Command('npm run chaos --')
    .description('Kills, pauses, cuts and partitions everything while callers call, and compares what they were told with what ran.')
    .option('--seconds <count>', 'how long faults happen', readCount, 60)
    .option('--seed <text>', 'the same seed plans the same faults and calls', '1')
    .option('--nodes <count>', 'nodes of the service', readCount, 3)
    .option('--toolkits <count>', 'toolkits', readCount, 3)
    .option('--replicas <count>', 'processes of each toolkit', readCount, 3)
    .option('--rate <calls>', 'calls per second', readCount, 200)
    .option('--faults <list>', `all, none, or some of ${FAULT_KINDS.join(', ')}`, readFaults, FAULT_KINDS)
    .option('--sqlite', 'one node on SQLite, without PostgreSQL and NATS', false)
    .option('--rolling', 'no faults, but restarts of all nodes in turn, and callers that leave retries to the SDK', false)
    .option(
      '--limit <name=value>',
      'a limit of the service, may be given several times',
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option('--keep', 'keep ledgers and logs', false)
    .option('--json <file>', 'write everything as JSON')
    .allowExcessArguments(false)
    .parse(args, { from: 'user' });
  const options = command.opts<ChaosOptions>();
  if (options.sqlite && options.nodes !== 1) command.error('--sqlite is one node: add --nodes 1');
  return options;
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('It needs a whole number above 0.');
}

function readFaults(list: string): readonly FaultKind[] {
  if (list === 'all') return FAULT_KINDS;
  if (list === 'none') return [];
  return list.split(',').map((name) => FAULT_KINDS.find((kind) => kind === name) ?? unknownFault(name));
}

function unknownFault(name: string): never {
  throw new InvalidArgumentError(`"${name}" is no fault.`);
}

/** `npm run chaos -- …`: docs in bench/README.md. */
import { InvalidArgumentError } from 'commander';
import { benchCommand, collect, wholeNumber, wholeNumberOrZero } from '../common/command.ts';
import { LANGUAGES, type Language, readLanguages } from '../common/language.ts';
import { FAULT_KINDS, type FaultKind } from './faults.ts';

export interface ChaosOptions {
  seconds: number;
  seed: string;
  nodes: number;
  toolkits: number;
  replicas: number;
  /** The replicas of each toolkit take turns. */
  languages: readonly Language[];
  rate: number;
  faults: readonly FaultKind[];
  sqlite: boolean;
  rolling: boolean;
  long: boolean;
  /** The questions that wait, and the calls that run, with `long`. */
  approvals: number;
  calls: number;
  /** Limits for `svc-service serve`. */
  limit: string[];
  keep: boolean;
  json?: string;
}

export function readOptions(args: readonly string[]): ChaosOptions {
  const command = benchCommand('npm run chaos --')
    .description('Kills, pauses, cuts and partitions everything while callers call, and compares their answers with the runs.')
    .option('--seconds <count>', 'how long faults happen; how long a call of --long runs', wholeNumber, 60)
    .option('--seed <text>', 'the same seed plans the same faults and calls', '1')
    .option('--nodes <count>', 'nodes of the service', wholeNumber, 3)
    .option('--toolkits <count>', 'toolkits', wholeNumber, 3)
    .option('--replicas <count>', 'processes of each toolkit', wholeNumber, 3)
    .option('--languages <list>', `of the replicas, in turn: some of ${LANGUAGES.join(', ')}`, readLanguages, ['ts'])
    .option('--rate <calls>', 'calls per second', wholeNumber, 200)
    .option('--faults <list>', `all, none, or some of ${FAULT_KINDS.join(', ')}`, readFaults, FAULT_KINDS)
    .option('--sqlite', 'one node on SQLite, without PostgreSQL and NATS', false)
    .option('--rolling', 'no faults, but restarts of all nodes in turn, and callers that leave retries to the SDK', false)
    .option('--long', 'long calls and waiting questions, while each node, NATS and PostgreSQL is killed once', false)
    .option('--approvals <count>', 'questions of --long', wholeNumberOrZero, 200)
    .option('--calls <count>', 'calls of --long', wholeNumberOrZero, 1_000)
    .option('--limit <name=value>', 'a limit of the service, may be given several times', collect, [])
    .option('--keep', 'keep ledgers and logs', false)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' });
  const options = command.opts<ChaosOptions>();
  if (options.sqlite && options.nodes !== 1) command.error('--sqlite is one node: add --nodes 1');
  return options;
}

function readFaults(list: string): readonly FaultKind[] {
  if (list === 'all') return FAULT_KINDS;
  if (list === 'none') return [];
  return list.split(',').map((name) => FAULT_KINDS.find((kind) => kind === name) ?? unknownFault(name));
}

function unknownFault(name: string): never {
  throw new InvalidArgumentError(`"${name}" is not a fault.`);
}

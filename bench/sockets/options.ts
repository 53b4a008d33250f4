import { InvalidArgumentError } from 'commander';
import { benchCommand, wholeNumber } from '../common/command.ts';

export interface SocketsOptions {
  /** Total number of sockets. */
  sockets: number;
  /** Sockets of one toolkit. */
  replicas: number;
  /** Number of processes in which the toolkits run. */
  processes: number;
  heartbeatMs: number;
  /** Limits of the service. */
  limits: Record<string, number>;
  /** Also measures two nodes on PostgreSQL and NATS, of which one is killed. */
  cluster: boolean;
  json: string | undefined;
}

interface Values extends Omit<SocketsOptions, 'limits'> {
  limit: Record<string, number>;
}

export function readSocketsOptions(args: readonly string[]): SocketsOptions {
  const { limit, ...options } = benchCommand('npm run bench:sockets --')
    .option('--sockets <count>', 'idle toolkit sockets', wholeNumber, 10_000)
    .option('--replicas <count>', 'sockets of one toolkit', wholeNumber, 1)
    .option('--processes <count>', 'processes in which the toolkits run', wholeNumber, 2)
    .option('--heartbeat-ms <count>', 'time between two heartbeats', wholeNumber, 15_000)
    .option('--limit <name=value>', 'a limit of the service, may be given several times', addLimit, {})
    .option('--cluster', 'also two nodes on PostgreSQL and NATS, of which one dies', false)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<Values>();
  const { heartbeatMs, replicas } = options;
  return { ...options, limits: { heartbeatMs, socketsPerKey: Math.max(64, replicas), ...limit } };
}

function addLimit(text: string, former: Record<string, number>): Record<string, number> {
  const [name, value] = text.split('=');
  if (!name || value === undefined) throw new InvalidArgumentError('Write it like socketsPerKey=64.');
  return { ...former, [name]: wholeNumber(value) };
}

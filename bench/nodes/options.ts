import { benchCommand, collect, positiveNumber, wholeNumber, wholeNumberOrZero } from '../common/command.ts';
import type { LoadCase } from '../load/rounds.ts';

export interface NodesOptions {
  /** 0 leaves PostgreSQL out, 1 the cluster. */
  nodes: number;
  cases: LoadCase[];
  /** Names of targets beside the floor; empty for all. */
  only: string[];
  json: string | undefined;
}

interface Values extends Omit<NodesOptions, 'cases'> {
  concurrency: number[];
  rounds: number;
  seconds: number;
  bytes: number;
}

export function readNodesOptions(args: readonly string[]): NodesOptions {
  const { concurrency, rounds, seconds, bytes, nodes, only, json } = benchCommand('npm run bench:nodes --')
    .option('--nodes <count>', 'nodes of the cluster; 0 leaves PostgreSQL out, 1 the cluster', wholeNumberOrZero, 3)
    .option('--concurrency <list>', 'numbers of callers', (list) => list.split(',').map(wholeNumber), [1, 16, 64])
    .option('--only <target>', 'a target to measure beside the floor, may be given several times', collect, [])
    .option('--rounds <count>', 'how often each target is measured', wholeNumber, 7)
    .option('--seconds <count>', 'length of a measurement', positiveNumber, 1)
    .option('--bytes <count>', 'size of a payload', wholeNumber, 300)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<Values>();
  const each = { payloadBytes: bytes, rounds, sliceSeconds: seconds };
  return { nodes, cases: concurrency.map((callers) => ({ ...each, concurrency: callers })), only, json };
}

/** `node bench/nodes.ts [--nodes 3] [--concurrency 1,16,64] [--rounds 7] [--seconds 1] [--bytes 300] [--json FILE]`. */
import { parseArgs } from 'node:util';
import { positiveNumber } from '../load/options.ts';
import type { LoadCase } from '../load/rounds.ts';

export interface NodesOptions {
  /** 0 leaves PostgreSQL out, 1 the cluster. */
  nodes: number;
  cases: LoadCase[];
  json: string | undefined;
}

export function readNodesOptions(args: string[]): NodesOptions {
  const { values } = parseArgs({
    args,
    options: {
      nodes: { type: 'string', default: '3' },
      concurrency: { type: 'string', default: '1,16,64' },
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '1' },
      bytes: { type: 'string', default: '300' },
      json: { type: 'string' },
    },
  });
  const nodes = Number(values.nodes);
  if (!Number.isInteger(nodes) || nodes < 0) throw new Error(`--nodes ${values.nodes}: it needs a whole number, 0 for no PostgreSQL`);
  const each = {
    payloadBytes: positiveNumber('bytes', values.bytes),
    rounds: Math.ceil(positiveNumber('rounds', values.rounds)),
    sliceSeconds: positiveNumber('seconds', values.seconds),
  };
  const concurrencies = values.concurrency.split(',').map((text) => positiveNumber('concurrency', text));
  return { nodes, cases: concurrencies.map((concurrency) => ({ ...each, concurrency })), json: values.json };
}

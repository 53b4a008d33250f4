import { InvalidArgumentError } from 'commander';
import { benchCommand, positiveNumber, wholeNumber } from '../common/command.ts';
import type { LoadCase } from './rounds.ts';

const CONCURRENCIES = [1, 16, 64, 256];
const PAYLOAD_BYTES = [300, 30_000];

export interface BenchOptions {
  cases: LoadCase[];
  /** File for the results as JSON. */
  json: string | undefined;
  /** Only the floor beside itself in every case, which needs no build. */
  controlOnly: boolean;
}

interface Only {
  c?: number[];
  size?: number[];
}

export interface BenchDefaults {
  only: string;
  rounds: number;
  seconds: number;
}

/** @param usage how to start the bench */
export function readOptions(
  usage: string,
  args: readonly string[],
  defaults: BenchDefaults = { only: '', rounds: 5, seconds: 2 },
): BenchOptions {
  const {
    only = readOnly(defaults.only),
    seconds,
    rounds,
    json,
    control,
  } = benchCommand(usage)
    .option('--only <cases>', 'callers and payload bytes, such as c=1,c=64,size=300', readOnly)
    .option('--rounds <count>', 'how often each target is measured', wholeNumber, defaults.rounds)
    .option('--seconds <count>', 'length of a measurement', positiveNumber, defaults.seconds)
    .option('--control', 'only the floor beside itself, which needs no build', false)
    .option('--json <file>', 'write everything as JSON')
    .parse(args, { from: 'user' })
    .opts<{ only?: Only; seconds: number; rounds: number; json?: string; control: boolean }>();
  const cases = (only.size ?? PAYLOAD_BYTES).flatMap((payloadBytes) =>
    (only.c ?? CONCURRENCIES).map((concurrency) => ({ payloadBytes, concurrency, rounds, sliceSeconds: seconds })),
  );
  return { cases, json, controlOnly: control };
}

/** `c=64,size=300`: each name may occur several times. */
function readOnly(text: string): Only {
  const only: Only = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [name, value = ''] = part.split('=');
    if (name !== 'c' && name !== 'size') throw new InvalidArgumentError('Write it like c=64,size=300.');
    only[name] = [...(only[name] ?? []), positiveNumber(value)];
  }
  return only;
}

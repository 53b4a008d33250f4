/** `node bench/run.ts [--json FILE] [--seconds N] [--rounds N] [--only c=64,size=300] [--control]`. */
import { parseArgs } from 'node:util';
import type { LoadCase } from './rounds.ts';

const CONCURRENCIES = [1, 16, 64, 256];
const PAYLOAD_BYTES = [300, 30_000];

export interface BenchOptions {
  cases: LoadCase[];
  /** Where the data goes as JSON. */
  json: string | undefined;
  /** The floor beside itself in every case, and nothing else: needs no build. */
  controlOnly: boolean;
}

export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      control: { type: 'boolean', default: false },
    },
  });
  const only = readOnly(values.only);
  const sliceSeconds = positiveNumber('seconds', values.seconds);
  const rounds = Math.ceil(positiveNumber('rounds', values.rounds));
  const cases = (only.size ?? PAYLOAD_BYTES).flatMap((payloadBytes) =>
    (only.c ?? CONCURRENCIES).map((concurrency) => ({ payloadBytes, concurrency, rounds, sliceSeconds })),
  );
  return { cases, json: values.json, controlOnly: values.control };
}

/** `c=64,size=300`: each name may come more than once. */
function readOnly(text: string): { c?: number[]; size?: number[] } {
  const only: { c?: number[]; size?: number[] } = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [name, value] = part.split('=');
    if (name !== 'c' && name !== 'size') throw new Error(`--only ${text}: write it like --only c=64,size=300`);
    only[name] = [...(only[name] ?? []), positiveNumber(name, value ?? '')];
  }
  return only;
}

export function positiveNumber(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} is ${JSON.stringify(text)}; it needs a number above 0`);
  return value;
}

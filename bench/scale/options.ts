/** `npm run bench:scale -- [--only keys,records] [--share 1] [--rounds 9] [--seconds 1] [--json FILE]`. */
import { parseArgs } from 'node:util';
import { positiveNumber } from '../load/options.ts';
import { SIZES, type Size } from './sizes.ts';

export interface ScaleOptions {
  sizes: Size[];
  /** Of each size, for a quick look. */
  share: number;
  rounds: number;
  sliceSeconds: number;
  json: string | undefined;
}

export function readScaleOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      share: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !SIZES.some((size) => size.name === name));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: choose from ${SIZES.map(({ name }) => name).join(', ')}`);
  return {
    sizes: SIZES.filter(({ name }) => names?.includes(name) ?? true),
    share: positiveNumber('share', values.share),
    rounds: Math.ceil(positiveNumber('rounds', values.rounds)),
    sliceSeconds: positiveNumber('seconds', values.seconds),
    json: values.json,
  };
}

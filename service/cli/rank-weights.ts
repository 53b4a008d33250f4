import { readFileSync } from 'node:fs';
import type { RankWeightsSetting } from 'svc-service';
import { UsageError } from '#sdk/cli/usage-error';
import { textOfFile } from '#sdk/protocol/decode-text';

/** The value of `--rank-weights`: `off`, or a file that `npm run learn:rank` wrote. Throws UsageError for a file that is not JSON. */
export function rankWeightsOf(value: string): RankWeightsSetting {
  if (value === 'off') return value;
  try {
    return JSON.parse(textOfFile(readFileSync(value), value));
  } catch (error) {
    throw new UsageError(`Cannot read the weights in ${value}: ${(error as Error).message}`);
  }
}

import { SvcError } from '#sdk/protocol/errors';
import { DEFAULT_RANK_WEIGHTS, FEATURES, type RankWeights, WORDS_ALONE } from './rank-weights';

/** Weights of the second stage that `npm run learn:rank` wrote; `off` ranks without it. */
export type RankWeightsSetting = RankWeights | 'off';

/** Throws SvcError INVALID_REQUEST. */
export function readRankWeights(setting: RankWeightsSetting = DEFAULT_RANK_WEIGHTS): RankWeights {
  if (setting === 'off') return WORDS_ALONE;
  const names = typeof setting === 'object' && setting !== null ? Object.keys(setting) : [];
  const isWhole =
    names.length === FEATURES.length && FEATURES.every((feature) => setting[feature] >= 0 && Number.isFinite(setting[feature]));
  if (isWhole) return setting;
  const message = `rankWeights must be "off" or a number of at least 0 for each of ${FEATURES.join(', ')}; npm run learn:rank writes them`;
  throw new SvcError('INVALID_REQUEST', message);
}

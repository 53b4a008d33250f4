import { SvcError } from '#sdk/protocol/errors';

/**
 * Storage of queries to learn from: `off` nothing, and nothing is learned; `hashed` their terms as one-way hashes; `text` the queries
 * themselves too, for people to read.
 */
export type LearningSetting = 'off' | 'hashed' | 'text';

const SETTINGS: readonly string[] = ['off', 'hashed', 'text'] satisfies LearningSetting[];

export function readLearningSetting(setting: LearningSetting = 'hashed'): LearningSetting {
  if (!SETTINGS.includes(setting)) throw new SvcError('INVALID_REQUEST', `learning must be one of ${SETTINGS.join(', ')}, not ${setting}`);
  return setting;
}

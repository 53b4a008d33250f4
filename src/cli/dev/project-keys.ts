/**
 * The keys of `svc-sdk dev` between its starts, so that what was pasted yesterday works today.
 *
 * Shape: `<folder>/keys.json`, readable by its owner alone, beside the data that know them; `.gitignore` keeps the folder out of commits.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CreatedKey, type KeyKind, type Keys, SvcError } from 'svc-sdk/service';

export interface DevKeys {
  toolkit: string;
  agent: string;
}

type Kept = Record<keyof DevKeys, Pick<CreatedKey, 'id' | 'key'>>;

const OWNER_ONLY = 0o600;

/** Makes the folder, whose name is often `.svc`. */
export function makeProjectFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { mode: OWNER_ONLY });
}

/** The keys of the last start, where they still work; new ones else. */
export async function projectKeys(folder: string, keys: Keys): Promise<DevKeys> {
  const path = join(folder, 'keys.json');
  const kept = existsSync(path) ? readKept(path) : undefined;
  const valid = new Set((await keys.list()).filter(({ revokedAt }) => revokedAt === undefined).map(({ id }) => id));
  const keyOf = async (kind: KeyKind & keyof DevKeys, name: string) =>
    kept && valid.has(kept[kind]?.id) ? kept[kind] : pick(await keys.create({ kind, name }));
  const now: Kept = { toolkit: await keyOf('toolkit', 'hello'), agent: await keyOf('agent', 'dev') };
  writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`, { mode: OWNER_ONLY });
  return { toolkit: now.toolkit.key, agent: now.agent.key };
}

/** Keys that end with the service. */
export async function temporaryKeys(keys: Pick<Keys, 'create'>): Promise<DevKeys> {
  const toolkit = await keys.create({ kind: 'toolkit', name: 'hello' });
  const agent = await keys.create({ kind: 'agent', name: 'dev' });
  return { toolkit: toolkit.key, agent: agent.key };
}

function pick({ id, key }: CreatedKey): Kept['agent'] {
  return { id, key };
}

function readKept(path: string): Kept {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SvcError(
      'INVALID_REQUEST',
      `${path} cannot be read: ${(error as Error).message}; remove it to get new keys`,
      {},
      { cause: error },
    );
  }
}

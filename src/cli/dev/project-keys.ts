/**
 * The keys of `svc-sdk dev` between its starts, so that what was pasted yesterday works today.
 *
 * Shape: `<folder>/keys.json`, readable by its owner alone, beside the data that know them; `.gitignore` keeps the folder out of commits.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, type CreatedKey, type Keys, SvcError } from 'svc-sdk/service';

export interface DevKeys {
  toolkit: string;
  agent: string;
  agentId: string;
  /** The spending limits of the agent key. */
  budget: Budget | undefined;
}

type KeptKey = Pick<CreatedKey, 'id' | 'key'>;
type Kept = Record<'toolkit' | 'agent', KeptKey>;

/** Enough to try actions with a price. */
export const DEV_BUDGET: Budget = { perCall: '1', perDay: '100' };
const TOOLKIT_KEY = { kind: 'toolkit', name: 'hello' } as const;
const AGENT_KEY = { kind: 'agent', name: 'dev', budget: DEV_BUDGET } as const;

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
  const valid = new Map((await keys.list()).filter(({ revokedAt }) => revokedAt === undefined).map((key) => [key.id, key]));
  const keyOf = async (request: typeof TOOLKIT_KEY | typeof AGENT_KEY) => {
    const before = kept?.[request.kind];
    const known = before && valid.get(before.id);
    return known ? { ...known, key: before.key } : keys.create(request);
  };
  const [toolkit, agent] = [await keyOf(TOOLKIT_KEY), await keyOf(AGENT_KEY)];
  const now: Kept = { toolkit: pick(toolkit), agent: pick(agent) };
  writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`, { mode: OWNER_ONLY });
  return devKeys(toolkit, agent);
}

/** Keys that end with the service. */
export async function temporaryKeys(keys: Pick<Keys, 'create'>): Promise<DevKeys> {
  return devKeys(await keys.create(TOOLKIT_KEY), await keys.create(AGENT_KEY));
}

function devKeys(toolkit: CreatedKey, agent: CreatedKey): DevKeys {
  return { toolkit: toolkit.key, agent: agent.key, agentId: agent.id, budget: agent.budget };
}

function pick({ id, key }: CreatedKey): KeptKey {
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

/**
 * Keeps the keys of `svc-service dev` between its starts, so pasted snippets stay valid.
 *
 * Shape: `<folder>/keys.json`, beside the data, for commands in the project's folder; `<folder>/env` exports the variables of toolkits and
 *        agents. Only the owner can read both; `.gitignore` keeps the folder out of commits.
 */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Budget, CreatedKey, Keys } from 'svc-service';
import { type KeptKey, type KeptKeys, readKeptKeys } from '#sdk/cli/kept-keys';

export interface DevKeys {
  toolkit: string;
  /** The toolkit of the toolkit key. */
  toolkitId: string;
  agent: string;
  agentId: string;
  /** The spending limits of the agent key. */
  budget: Budget | undefined;
}

/** Enough to try actions with a price. */
export const DEV_BUDGET: Budget = { perCall: '1', perDay: '100' };
/** The toolkit of the README and of `svc-sdk init`. */
const TOOLKIT_KEY = { kind: 'toolkit', name: 'weather' } as const;
const AGENT_KEY = { kind: 'agent', name: 'dev', budget: DEV_BUDGET } as const;
/** Used by `svc-service logs` and `svc-sdk actions approve`. It is not in `env`: processes that an agent starts inherit that. */
const ADMIN_KEY = { kind: 'admin', name: 'dev' } as const;

const OWNER_ONLY = 0o600;

/** Creates the folder, which is often named `.svc`. */
export function makeProjectFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { mode: OWNER_ONLY });
}

/** Reuses the valid keys of the last start and creates the others. Writes `keys.json` and `env`. */
export async function projectKeys(folder: string, { url, keys }: { url: string; keys: Keys }): Promise<DevKeys> {
  const kept = readKeptKeys(folder);
  const valid = new Map((await keys.list()).filter(({ revokedAt }) => revokedAt === undefined).map((key) => [key.id, key]));
  const keyOf = async (request: typeof TOOLKIT_KEY | typeof AGENT_KEY | typeof ADMIN_KEY) => {
    const before = kept?.[request.kind];
    const known = before && valid.get(before.id);
    return known ? { ...known, key: before.key } : keys.create(request);
  };
  const [toolkit, agent, admin] = [await keyOf(TOOLKIT_KEY), await keyOf(AGENT_KEY), await keyOf(ADMIN_KEY)];
  const now: KeptKeys = { url, toolkit: pick(toolkit), agent: pick(agent), admin: pick(admin) };
  writeForOwner(join(folder, 'keys.json'), `${JSON.stringify(now, null, 2)}\n`);
  const all = devKeys(toolkit, agent);
  // Also a default address: the shell may have set another one.
  writeForOwner(join(folder, 'env'), `${[exported('SVC_BASE_URL', url), ...keyExports(all)].join('\n')}\n`);
  return all;
}

/** Keys that are valid until the service ends. */
export async function temporaryKeys(keys: Pick<Keys, 'create'>): Promise<DevKeys> {
  return devKeys(await keys.create(TOOLKIT_KEY), await keys.create(AGENT_KEY));
}

/** Lines for a shell. */
export function keyExports({ toolkit, agent }: DevKeys): string[] {
  return [exported('SVC_TOOLKIT_API_KEY', toolkit), exported('SVC_AGENT_API_KEY', agent)];
}

export function exported(name: string, value: string): string {
  return `export ${name}=${value}`;
}

function devKeys(toolkit: CreatedKey, agent: CreatedKey): DevKeys {
  const { toolkit: toolkitId = TOOLKIT_KEY.name } = toolkit;
  return { toolkit: toolkit.key, toolkitId, agent: agent.key, agentId: agent.id, budget: agent.budget };
}

function pick({ id, key }: CreatedKey): KeptKey {
  return { id, key };
}

/** `mode` applies only to new files. */
function writeForOwner(path: string, text: string): void {
  if (existsSync(path)) chmodSync(path, OWNER_ONLY);
  writeFileSync(path, text, { mode: OWNER_ONLY });
}

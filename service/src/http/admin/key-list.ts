/** Reads the query of the list of keys. */
import type { KeySort, KeyState } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import type { KeyKind } from '#sdk/protocol/http';
import type { Principal } from '../../accounts/principal';
import type { KeyListQuery, KeyPlace } from '../../store/key-list';
import type { AppDeps } from '../app-deps';
import { lastDay } from './time-range';

interface AskedKeys {
  q?: string;
  kind?: KeyKind;
  state?: KeyState;
  mine?: 'true';
  sort?: KeySort;
  order?: 'asc' | 'desc';
  limit?: number;
  cursor?: string;
}

/** @throws SvcError INVALID_REQUEST for a cursor of something else */
export async function readKeyListQuery(
  { q, kind, state, mine, sort = 'created', order = 'desc', limit, cursor }: AskedKeys,
  principal: Principal,
  deps: Pick<AppDeps, 'keys' | 'clusterStatus'>,
): Promise<KeyListQuery> {
  const ownerId = principal.role === 'owner' && !mine ? undefined : principal.id;
  return {
    ownerId,
    words: q,
    kind,
    state,
    now: Date.now(),
    sort,
    order,
    mine: principal.id,
    day: lastDay(),
    connected: sort === 'lastUsed' ? await connectedKeys(ownerId, deps) : [],
    limit,
    after: cursor === undefined ? undefined : readPlace(cursor),
  };
}

/** The toolkit keys with a socket at any node. */
async function connectedKeys(
  ownerId: string | undefined,
  { keys, clusterStatus }: Pick<AppDeps, 'keys' | 'clusterStatus'>,
): Promise<string[]> {
  const toolkitIds = [...new Set((await keys.records(ownerId)).flatMap(({ toolkitId }) => toolkitId ?? []))];
  if (toolkitIds.length === 0) return [];
  const { nodes } = await clusterStatus.activity({ toolkitIds, processes: true });
  return nodes.flatMap(({ processes }) => processes.map(({ keyId }) => keyId));
}

export function writePlace({ rank, id }: KeyPlace): string {
  return Buffer.from(JSON.stringify([rank, id])).toString('base64url');
}

function readPlace(cursor: string): KeyPlace {
  try {
    const [rank, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if ((typeof rank === 'number' || typeof rank === 'string') && typeof id === 'string') return { rank, id };
  } catch {
    // As any other text that is not a cursor.
  }
  throw new SvcError('INVALID_REQUEST', 'cursor must be the nextCursor of the page before: leave it out to begin with the first page');
}

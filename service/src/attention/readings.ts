/** Reads what the checks of one minute need; each reading once. */
import type { AlertKind, AlertRules } from '#sdk/protocol/alerts';
import { alertRuleOf } from '#sdk/protocol/alerts';
import type { Catalog } from '../catalog/catalog';
import type { ClusterStatus } from '../cluster/cluster-status';
import type { Online } from '../cluster/online';
import type { KeyRing } from '../keys/key-ring';
import { DAY_MS } from '../lib/utc-day';
import type { AlertRecord } from '../store/alert-store';
import type { Store } from '../store/store';
import type { AlertContext } from './alert-context';
import type { AlertTargets } from './delivery/alert-targets';

const MAX_APPROVALS = 1_000;
/** Growth needs a day; the rest is for the service's page. */
const SIZES_MS = 7 * DAY_MS;

export interface ReadingsDeps {
  store: Pick<Store, 'alerts' | 'approvals' | 'connections' | 'counts' | 'ledger' | 'sightings' | 'system'>;
  catalog: Pick<Catalog, 'toolkits' | 'actionIds' | 'isHeld'>;
  keys: Pick<KeyRing, 'records'>;
  online: Pick<Online, 'replicas'>;
  clusterStatus: Pick<ClusterStatus, 'activity'>;
  targets: Pick<AlertTargets, 'list'>;
}

export interface Moment {
  now: number;
  startedAt: number;
  rules: AlertRules;
  open: readonly AlertRecord[];
}

export function readings({ store, catalog, keys, online, clusterStatus, targets }: ReadingsDeps, moment: Moment): AlertContext {
  const { now, startedAt, rules, open } = moment;
  const openNames = new Set(open.map(nameOf));
  const toolkits = once(() =>
    catalog.toolkits().map(({ id, name }) => {
      const held = catalog.actionIds(id).filter((action) => catalog.isHeld(action)).length;
      return { id, name, held, isOnline: online.replicas(id) > 0 };
    }),
  );
  const sums = new Map<string, ReturnType<AlertContext['sums']>>();
  const shares = new Map<string, ReturnType<AlertContext['spent']>>();
  return {
    now,
    startedAt,
    rule: (kind) => alertRuleOf(kind, rules),
    isOpen: (kind, subject) => openNames.has(nameOf({ kind, subject })),
    toolkits,
    lastSeen: once(() => store.sightings.lastSeen(toolkits().map(({ id }) => id))),
    keys: once(async () => (await keys.records()).filter(({ revokedAt }) => revokedAt === null)),
    sums: (dimension, from, to) =>
      remembered(sums, `${dimension} ${from} ${to}`, () => store.counts.sums({ dimension, step: 3_600, from, to })),
    totals: (query) => store.counts.totals(query),
    spent: (keyIds) => remembered(shares, keyIds.join(' '), () => store.ledger.spent(keyIds, now)),
    pendingApprovals: once(() => store.approvals.list({ statuses: ['pending'], limit: MAX_APPROVALS })),
    endedConnections: once(() => store.connections.ended()),
    queuedCalls: once(async () => {
      const { nodes } = await clusterStatus.activity({ processes: false });
      return nodes.reduce((sum, { queued }) => sum + queued, 0);
    }),
    storeSizes: once(() => store.system.sizes(now - SIZES_MS)),
    storeBytes: once(() => store.system.bytes()),
    lastBackup: once(() => store.system.lastBackup()),
    backupsAreKnown: store.system.kind === 'sqlite',
    silentNodes: (ms) => store.system.silentNodes(ms),
    targets: once(() => targets.list()),
    targetStates: once(() => store.alerts.targetStates()),
  };
}

/** Identifies an alert while it is open. */
export function nameOf({ kind, subject }: { kind: AlertKind; subject: string }): string {
  return `${kind} ${subject}`;
}

function once<Value>(read: () => Value): () => Value {
  let value: { of: Value } | undefined;
  return () => {
    value ??= { of: read() };
    return value.of;
  };
}

function remembered<Value>(values: Map<string, Value>, name: string, read: () => Value): Value {
  const known = values.get(name);
  if (known !== undefined) return known;
  const value = read();
  values.set(name, value);
  return value;
}

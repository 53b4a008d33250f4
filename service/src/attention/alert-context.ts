/** The readings of one check, shared by all kinds: each is read once, by the first kind that needs it. */
import type { AlertKind } from '#sdk/protocol/alerts';
import type { TargetState } from '../store/alert-store';
import type { CallApprovalRecord } from '../store/approval-store';
import type { CallCount, CallSum } from '../store/console-store';
import type { KeyRecord, Spent } from '../store/store';
import type { StoreSize } from '../store/system-store';

interface HoldingRule {
  threshold: number;
  minCalls: number;
}

interface WatchedToolkit {
  id: string;
  name: string;
  isOnline: boolean;
  /** Actions that wait for an owner's approval. */
  held: number;
}

export interface AlertContext {
  /** Milliseconds since the epoch, by the database's clock. */
  now: number;
  /** When this node began to know which toolkits are online, by the same clock. */
  startedAt: number;
  rule(kind: AlertKind): HoldingRule;
  /** Whether the alert was open before this check: it ends at a lower number than it begins at. */
  isOpen(kind: AlertKind, subject: string): boolean;
  toolkits(): readonly WatchedToolkit[];
  /** The last time that each toolkit was seen connected. */
  lastSeen(): Promise<ReadonlyMap<string, number>>;
  /** Keys that are not revoked. */
  keys(): Promise<readonly KeyRecord[]>;
  /** Calls and errors by name, of whole hours. */
  sums(dimension: 'toolkit' | 'key', from: number, to: number): Promise<readonly CallSum[]>;
  totals(query: {
    dimension: 'toolkit' | 'key';
    step: 60 | 3_600;
    from: number;
    to: number;
    names?: readonly string[];
  }): Promise<readonly Pick<CallCount, 'name' | 'code' | 'bucket' | 'calls'>[]>;
  spent(keyIds: readonly string[]): Promise<ReadonlyMap<string, Spent>>;
  pendingApprovals(): Promise<readonly CallApprovalRecord[]>;
  /** Connections that their users have to connect again, by toolkit. */
  endedConnections(): Promise<readonly { toolkitId: string; connections: number }[]>;
  /** Calls that wait for a process, at all nodes that answer. */
  queuedCalls(): Promise<number>;
  storeSizes(): Promise<readonly StoreSize[]>;
  storeBytes(): Promise<number>;
  /** Undefined: none that the service knows of. */
  lastBackup(): Promise<number | undefined>;
  /** Whether the store can be backed up by this program. */
  backupsAreKnown: boolean;
  silentNodes(ms: number): Promise<readonly { id: string; seenAt: number }[]>;
  targets(): Promise<readonly { id: string; place: string }[]>;
  targetStates(): Promise<readonly TargetState[]>;
}

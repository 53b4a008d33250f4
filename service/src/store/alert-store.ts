/**
 * Stored alerts, and the messages about them that are to be sent.
 *
 * Units:  times are milliseconds since the epoch, by the database's clock.
 * Errors: as in `store.ts`.
 */
import type { AlertKind, AlertSeverity } from '#sdk/protocol/alerts';

/** Something that is wrong now. */
export interface FoundAlert {
  kind: AlertKind;
  /** Id of a toolkit, key, node or target; '' for the service itself. Kind and subject identify an open alert. */
  subject: string;
  severity: AlertSeverity;
  text: string;
  /** Path of the console's page that mends it. */
  link: string;
  /** Members with this toolkit see the alert. */
  toolkitId?: string | undefined;
  /** The owner of this key sees the alert. */
  keyId?: string | undefined;
}

export interface AlertRecord {
  /** Ids sort by time. */
  id: string;
  kind: AlertKind;
  subject: string;
  severity: AlertSeverity;
  text: string;
  link: string;
  toolkitId: string | null;
  keyId: string | null;
  since: number;
  endedAt: number | null;
}

export type AlertEvent = 'begun' | 'ended';

export interface AlertDelivery {
  alert: AlertRecord;
  target: string;
  event: AlertEvent;
  /** This try included. */
  tries: number;
}

/** The state of the deliveries to one target. */
export interface TargetState {
  target: string;
  /** Messages that are not sent yet. */
  waiting: number;
  lastSentAt: number | null;
  /** The failure of the oldest message that still waits, and its number of tries. */
  failing: { error: string; at: number; tries: number } | null;
}

export interface AlertQuery {
  state: 'open' | 'ended';
  /** A member's toolkits and keys. Undefined: all alerts. */
  visible?: { toolkitIds: readonly string[]; keyIds: readonly string[] } | undefined;
  limit: number;
}

export interface AlertStore {
  /** True for one caller among all nodes, once in so many milliseconds. */
  takeTurn(everyMs: number): Promise<boolean>;
  /** Newest first. */
  list(query: AlertQuery): Promise<AlertRecord[]>;
  /** Adds an open alert and its messages. Does nothing while an alert with this kind and subject is open. */
  begin(id: string, alert: FoundAlert, targets: readonly string[]): Promise<void>;
  change(id: string, alert: Pick<FoundAlert, 'severity' | 'text' | 'link'>): Promise<void>;
  /** Ends an open alert and adds its last messages, for the targets that got its first or will get it. */
  end(id: string): Promise<void>;
  /** Ends an open alert without a message, and drops those that wait. */
  mute(id: string): Promise<void>;
  hasMessages(): Promise<boolean>;
  /** Claims messages that are due for one caller, for `leaseMs`. The last message of an alert is due after the first one was sent. */
  claimMessages(limit: number, leaseMs: number): Promise<AlertDelivery[]>;
  messageSent(message: AlertDelivery): Promise<void>;
  messageFailed(message: AlertDelivery, failure: { error: string; againMs: number }): Promise<void>;
  targetStates(): Promise<TargetState[]>;
  /** Removes the messages for a target. */
  removeTarget(target: string): Promise<void>;
  /** Removes alerts that ended before, with their messages. */
  prune(before: number): Promise<void>;
}

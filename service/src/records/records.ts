/** Records of calls and searches for the console, and notifications of changes. */
import type { Settings } from '#sdk/protocol/admin';
import type { CallObserver } from '../calls/call-observer';
import type { Changed } from '../cluster/message-schemas';
import type { SessionUsage } from '../sessions/session-usage';
import type { SessionLog } from './session-log';

export type { Changed };

export type SettingsChange = { [Name in keyof Settings]?: Settings[Name] | undefined };

export interface Records {
  readonly callObserver: CallObserver;
  /** A call with an agent key was refused before it was read. */
  refused(agentKeyId: string, code: string): void;
  /** A process of the toolkit connected or disconnected, or its actions changed. */
  toolkitChanged(toolkitId: string): void;
  /** Records that all connected toolkits are still here. Called before their sockets close. */
  recordSightings(): void;
  /** Searches and calls by session and user. */
  readonly sessions: Pick<SessionLog, 'list' | 'ofCalls' | 'write'>;
  /** Takes the tokens of models that agents report. */
  readonly usage: Pick<SessionUsage, 'add'>;
  /** Writes the sums of sessions and users of this node, so that the store's answers have them. Resolves with whether there were any. */
  writeSums(): Promise<boolean>;
  /** The settings that this node applies now. */
  readonly settings: Readonly<Settings>;
  /**
   * Stores and applies settings; other nodes follow within seconds. Resolves when data that they no longer allow is removed. Another node removes
   * its own when it follows. Rejects with INVALID_REQUEST.
   */
  changeSettings(change: SettingsChange): Promise<Settings>;
  /** Notifies the listeners of all nodes. */
  changed(...what: Changed[]): void;
  /** Notifies the listeners of this node only: the other nodes know of the change. */
  changedHere(...what: Changed[]): void;
  /** Calls back at most once a second with all changes of all nodes. Returns the stop function. */
  onChange(listener: (changed: Changed[]) => void): () => void;
  /** Removes data older than the settings allow. */
  applyRetention(): Promise<void>;
  /** Writes the last data. No event may follow. */
  close(): Promise<void>;
}

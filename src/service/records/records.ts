/** What is kept of calls and searches while they happen, and who hears that something changed. */
import type { ChangeEvent, Settings } from '../../protocol/admin';
import type { CallWatcher } from '../invocations/watched-calls';

export type Changed = ChangeEvent['changed'][number];

export interface Records {
  /** Looks on at every call. */
  readonly watchCalls: CallWatcher;
  /** A search that an agent key made, and the actions that it was shown, best first. */
  searched(agentKeyId: string, query: string, shown: readonly string[]): void;
  /** As they are now at this node. */
  readonly settings: Settings;
  /** Stores and applies them; other nodes follow within seconds. */
  changeSettings(change: Partial<Settings>): Promise<Settings>;
  /** Says that something changed, here and to the other nodes. */
  changed(...what: Changed[]): void;
  /** Calls back at most once a second with all that changed at any node. Returns the stop function. */
  onChange(listener: (changed: Changed[]) => void): () => void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** What is kept of calls and searches while they happen, and who hears that something changed. */
import type { Settings } from '../../protocol/admin';
import type { CallObserver } from '../calls/call-observer';
import type { Changed } from '../cluster/messages';

export type { Changed };

export type SettingsChange = { [Name in keyof Settings]?: Settings[Name] | undefined };

export interface Records {
  readonly callObserver: CallObserver;
  /** A call with an agent key that was refused before it was read. */
  refused(agentKeyId: string, code: string): void;
  /** A process of the toolkit has come to this node or left it, or its actions are others. */
  toolkitChanged(toolkitId: string): void;
  /** The sockets are about to be closed. */
  beforeToolkitsLeave(): void;
  /** As they are now at this node. */
  readonly settings: Readonly<Settings>;
  /**
   * Stores and applies them; other nodes follow within seconds. Resolves when what may not be kept any more is gone, but for what other nodes still
   * write until they follow, which they remove then. Rejects with INVALID_REQUEST.
   */
  changeSettings(change: SettingsChange): Promise<Settings>;
  /** Says that something changed, here and to the other nodes. */
  changed(...what: Changed[]): void;
  /** Says so here alone: the other nodes hear of it as this one did. */
  heardOfChange(...what: Changed[]): void;
  /** Calls back at most once a second with all that changed at any node. Returns the stop function. */
  onChange(listener: (changed: Changed[]) => void): () => void;
  /** Removes what is older than the settings let it become. */
  forgetOld(): Promise<void>;
  /** Writes what is not written yet. Nothing may be told it after that. */
  close(): Promise<void>;
}

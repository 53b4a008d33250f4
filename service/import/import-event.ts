import type { HeldChanges } from '#sdk/protocol/imports';
import type { ServerLog } from './mcp/config';

/** Events of the process that serves a `toolkits.yaml`. */
export type ImportEvent =
  | { event: 'toolkit-online'; id: string; actions: number; held?: HeldChanges }
  /** The next try is in `retryInMs`, or else after a change of the files. */
  | { event: 'toolkit-offline'; id: string; problem: string; retryInMs?: number }
  | { event: 'changes-held'; id: string; held: HeldChanges }
  | { event: 'toolkit-removed'; id: string }
  | ({ event: 'server-log'; id: string } & ServerLog)
  /** The files were changed and cannot be used: what was served goes on. */
  | { event: 'files-refused'; problem: string };

import type { HeldChanges } from '#sdk/protocol/imports';
import type { ServerLog } from './mcp/config';

/** Events of the process that serves a `toolkits.yaml`. */
export type ImportEvent =
  | { event: 'toolkit-online'; id: string; actions: number; held?: HeldChanges }
  /** The next try is in `retryInMs`; if absent, after a change of the files. */
  | { event: 'toolkit-offline'; id: string; problem: string; retryInMs?: number }
  | { event: 'changes-held'; id: string; held: HeldChanges }
  | { event: 'toolkit-removed'; id: string }
  | ({ event: 'server-log'; id: string } & ServerLog)
  /** The changed files are invalid: the former ones are still served. */
  | { event: 'files-refused'; problem: string };

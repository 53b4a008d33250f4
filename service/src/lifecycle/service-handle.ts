/** A running service, for the program that started it. */
import type { Accounts } from '../accounts/accounts';
import type { ConsoleOptions } from '../accounts/console-options';
import type { Readiness } from '../http/readiness';
import type { KeyRing } from '../keys/key-ring';
import { type Keys, keysOf } from '../keys/keys';
import type { Logger } from '../lib/logger';
import type { Store } from '../store/store';
import { drain } from './drain';
import { type RunningRooms, stopService } from './stop-service';

export interface Service {
  /** Base URL for `Tools` and `Toolkit`. */
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  /**
   * Creates the owner account through a one-time link to the console, valid for a day or until the next link is made. Undefined when an
   * account exists, or without console.
   */
  setupLink(): Promise<string | undefined>;
  /**
   * Fails readiness and refuses new calls at once. Running calls have `graceMs` (default: 0) to end, and toolkits reconnect to other nodes.
   * Calls that still run then get SERVICE_STOPPING; another node, or the next service on the same data, takes over those that a handler
   * runs.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface ListeningService extends RunningRooms {
  url: string;
  port: number;
  keys: KeyRing;
  store: Store;
  accounts: Accounts | undefined;
  console: ConsoleOptions | undefined;
  readiness: Readiness;
  /** Ends the streams of events. */
  stopping: AbortController;
  logger: Logger;
}

export function serviceHandle(running: ListeningService): Service {
  const { url, port, keys, accounts, console } = running;
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    async setupLink() {
      const invitation = await accounts?.setupInvitation();
      return invitation && `${console?.publicUrl ?? url}/join#${invitation.token}`;
    },
    keys: keysOf(keys),
    close: ({ graceMs = 0 } = {}) => {
      closed ??= close(running, graceMs);
      return closed;
    },
  };
}

async function close(running: ListeningService, graceMs: number): Promise<void> {
  const { readiness, stopping, store, logger } = running;
  readiness.block('stopping');
  stopping.abort();
  if (graceMs > 0) await drain(running, graceMs);
  await stopService(running).finally(() => store.close());
  logger.info({ node: store.node }, 'service stopped');
}

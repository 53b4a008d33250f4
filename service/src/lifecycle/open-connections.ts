/** The connections that the service keeps. The room is loaded when a call or a page needs it, so that a service without them starts as fast. */
import { SvcError } from '#sdk/protocol/errors';
import type { ConsoleOptions } from '../accounts/console-options';
import type { Audit } from '../audit/audit';
import type { Catalog } from '../catalog/catalog';
import type { CallConnections } from '../connections/call-connections';
import type { PageAddress } from '../connections/connect/page-address';
import type { KeptConnections } from '../connections/kept-connections';
import type { KeptConnectionsOptions } from '../connections/kept-connections-options';
import { SECRETS_KEY_VARIABLE, type SecretKeysSource } from '../connections/secret-keys-source';
import type { KeyRing } from '../keys/key-ring';
import type { Logger } from '../lib/logger';
import type { Store } from '../store/store';

const NO_KEY = `The service keeps no connections: its operator has to set ${SECRETS_KEY_VARIABLE}, which seals their secrets`;

export interface OpenConnectionsDeps {
  store: Pick<Store, 'connections' | 'connect' | 'accounts'>;
  catalog: Pick<Catalog, 'toolkit'>;
  keys: KeyRing;
  address: PageAddress;
  console: ConsoleOptions | undefined;
  logger: Logger;
  audit: Audit;
  secretKeys: SecretKeysSource;
  connections: KeptConnectionsOptions;
}

/** Rejects with SERVICE_UNAVAILABLE while the operator has set no secrets key. */
export type OpenConnections = () => Promise<KeptConnections>;

export interface OpenedConnections {
  openConnections: OpenConnections;
  callConnections: CallConnections;
  /** Resolves when no token is being refreshed: a new one that is not stored would cost the connection. */
  settleConnections: () => Promise<void>;
}

export function lazyConnections({ secretKeys, connections, keys: keyRing, console, ...deps }: OpenConnectionsDeps): OpenedConnections {
  let opened: Promise<KeptConnections> | undefined;
  const open = async () => {
    const { KeptConnections } = await import('../connections/kept-connections');
    const keys = secretKeys.open();
    if (keys)
      return new KeptConnections({
        ...deps,
        keys,
        keyRing,
        hasConsole: console !== undefined,
        privateHosts: connections.privateHosts ?? [],
      });
    throw new SvcError('SERVICE_UNAVAILABLE', NO_KEY, { retryable: false });
  };
  const openConnections = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const callConnections: CallConnections = {
    open: async (ask) => (await openConnections()).calls.open(ask),
    renew: async (id, refused) => (await openConnections()).calls.renew(id, refused),
    required: async (ask, reason) => (await openConnections()).calls.required(ask, reason),
  };
  const settleConnections = async () => (await opened)?.refresh.settled();
  return { openConnections, callConnections, settleConnections };
}

/** Opens the hub (sockets of toolkits) and the cluster (other nodes). Each notifies the other. */
import type { Limits } from '#sdk/protocol/limits';
import type { Bus } from '../bus/bus';
import type { Catalog } from '../catalog/catalog';
import { Cluster } from '../cluster/cluster';
import { otherNodesOf } from '../cluster/other-nodes';
import { HandlerUsers } from '../hub/handler-users';
import { Hub } from '../hub/hub';
import type { RegistrationListener } from '../hub/registrations';
import type { RenewConnection } from '../hub/toolkit-methods';
import type { Logger } from '../lib/logger';
import { deriveKey } from '../lib/sealed-text';
import { USER_SECRET } from '../store/console-store';
import { sharedSecret } from '../store/shared-secret';
import type { Store } from '../store/store';

export interface OpenHubDeps {
  store: Pick<Store, 'node' | 'invocations' | 'counter' | 'settings'>;
  bus: Bus;
  catalog: Catalog;
  renewConnection: RenewConnection;
  onRegistration: RegistrationListener | undefined;
  limits: Limits;
  logger: Logger;
}

export async function openHub({
  store,
  bus,
  catalog,
  renewConnection,
  onRegistration,
  limits,
  logger,
}: OpenHubDeps): Promise<{ cluster: Cluster; hub: Hub; nodeKey: Buffer }> {
  const cluster = new Cluster({ bus, node: store.node, logger });
  const changes = store.counter({ points: limits.changedRegistrationsPerMinute, seconds: 60 });
  const secret = await sharedSecret(store.settings, USER_SECRET);
  const users = new HandlerUsers(secret);
  const hub = new Hub({
    registry: catalog,
    otherNodes: otherNodesOf(cluster),
    outcomes: store.invocations,
    renewConnection,
    changes,
    users,
    limits,
    logger,
  });
  hub.replicas.onChange((toolkitId) => cluster.changed(toolkitId));
  hub.instances.onRegistered((registered) => cluster.instanceRegistered(registered));
  if (onRegistration) hub.registrations.onRegistration(guarded(onRegistration, logger));
  return { cluster, hub, nodeKey: deriveKey(secret, 'connections between nodes') };
}

/** Errors of the operator's listener reach only the logger. */
function guarded(listener: RegistrationListener, logger: Logger): RegistrationListener {
  return (registration) => {
    try {
      listener(registration);
    } catch (error) {
      logger.error({ error }, 'onRegistration failed');
    }
  };
}

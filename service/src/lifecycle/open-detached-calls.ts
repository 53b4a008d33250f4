/** Opens the part that goes on with calls whose callers have left. */
import type { Begin } from '../calls/call-request';
import { DetachedCalls } from '../calls/detached/detached-calls';
import type { Catalog } from '../catalog/catalog';
import type { Cluster } from '../cluster/cluster';
import { Online } from '../cluster/online';
import type { Hub } from '../hub/hub';
import { GrantChecks } from '../keys/grant-checks';
import type { KeyRing } from '../keys/key-ring';
import type { KeptTexts } from '../lib/kept-texts';
import type { StartOptions } from './start-options';

export interface OpenDetachedCallsDeps extends Pick<StartOptions, 'store' | 'limits' | 'logger'> {
  catalog: Pick<Catalog, 'action'>;
  hub: Hub;
  cluster: Cluster;
  keys: KeyRing;
  texts: KeptTexts;
  begin: Begin;
}

export function openDetachedCalls({ store, catalog, hub, cluster, ...deps }: OpenDetachedCallsDeps): DetachedCalls {
  const online = new Online(hub, cluster);
  return new DetachedCalls({
    ...deps,
    cluster,
    store: store.detached,
    invocations: store.invocations,
    grants: new GrantChecks(store.oauth),
    isOffline: (actionId) => catalog.action(actionId) !== undefined && !online.has(actionId),
  });
}

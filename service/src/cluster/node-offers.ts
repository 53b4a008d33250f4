import type { Limits } from '#sdk/protocol/limits';
import type { Hub } from '../hub/hub';
import type { NodeOffers } from './cluster';
import { localActivity } from './cluster-status';
import { sharedCounts } from './shared-counts';

/** @param callsByKey requests of each agent key that are under way at this node */
export function nodeOffers(hub: Hub, callsByKey: ReadonlyMap<string, number>, limits: Limits): NodeOffers {
  return {
    offer: (toolkitId) => hub.replicas.offer(toolkitId),
    toolkitIds: () => hub.replicas.toolkitIds(),
    activity: (query) => localActivity(hub, query),
    counts: () => sharedCounts({ callsByKey, socketsByKey: hub.sockets.byKey, runningByToolkit: hub.replicas.runningByToolkit() }, limits),
  };
}

/** Creates the objects of this room from the bottom up: directory, executors, earlier calls, runner, and the three that start calls. */
import type { Limits } from '#sdk/protocol/limits';
import type { CallApprovals } from '../approvals/call-approvals';
import type { Catalog } from '../catalog/catalog';
import type { Cluster } from '../cluster/cluster';
import type { CallConnections } from '../connections/call-connections';
import type { Hub } from '../hub/hub';
import type { Logger } from '../lib/logger';
import type { CallRules } from '../rules/call-rules';
import type { InvocationStore, LedgerStore } from '../store/store';
import { Admission } from './admission';
import { CallDirectory } from './call-directory';
import type { CallObservers } from './call-observer';
import { CallRunner } from './call-runner';
import { CallShutdown } from './call-shutdown';
import { Calls } from './calls';
import { ConnectionSeal } from './connection-seal';
import type { DetachedRunner } from './detached/detached-runner';
import { EarlierCalls } from './earlier-calls';
import type { Handles } from './handles';
import { LocalExecutor } from './local-executor';
import { OrphanedCalls } from './orphaned-calls';
import { PeerCalls } from './peer-calls';
import { RemoteExecutor } from './remote-executor';
import { RequiredConnections } from './required-connections';

export interface OpenCallsDeps {
  node: string;
  catalog: Catalog;
  hub: Hub;
  cluster: Cluster;
  store: InvocationStore;
  ledger: LedgerStore;
  observers: CallObservers;
  connections: CallConnections;
  rules: CallRules;
  approvals: CallApprovals;
  detached: DetachedRunner;
  handles: Handles;
  /** Seals connections between nodes. */
  nodeKey: Buffer;
  limits: Limits;
  logger: Logger;
}

export interface OpenedCalls {
  calls: Calls;
  /** Serves the requests of other nodes. */
  peerCalls: PeerCalls;
  orphanedCalls: OrphanedCalls;
  /** Key id -> the key's requests in progress at this node. */
  runningByKey: ReadonlyMap<string, number>;
}

export function openCalls(deps: OpenCallsDeps): OpenedCalls {
  const { cluster, hub } = deps;
  const directory = new CallDirectory(process.env.NODE_ENV === 'test' ? undefined : (message) => deps.logger.error({}, message));
  const shutdown = new CallShutdown(cluster);
  const admission = new Admission(deps);
  const local = new LocalExecutor(deps);
  const seal = new ConnectionSeal(deps.nodeKey);
  const required = new RequiredConnections(deps);
  const remote = new RemoteExecutor({ ...deps, seal });
  const earlier = new EarlierCalls({ ...deps, directory, remote });
  const runner = new CallRunner({ ...deps, directory, local, remote, earlier });
  const orphanedCalls = new OrphanedCalls({ ...deps, directory, runner });
  hub.instances.onReturned((toolkitId, ids) => orphanedCalls.takeReturned(toolkitId, ids));
  return {
    calls: new Calls({ ...deps, admission, required, directory, runner, local, shutdown }),
    peerCalls: new PeerCalls({ ...deps, directory, runner, shutdown, seal }),
    orphanedCalls,
    runningByKey: admission.runningByKey,
  };
}

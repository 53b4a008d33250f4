/** What the routes are made of. */
import type { Limits } from '../../protocol/limits';
import type { Catalog } from '../catalog/catalog';
import type { Explanation } from '../catalog/search/index';
import type { Online } from '../cluster/online';
import type { Hub } from '../hub/hub';
import type { Invoker } from '../invocations/invoker';
import type { KeyRing } from '../keys/key-ring';
import type { Learner } from '../learning/index';
import type { Logger } from '../logger';
import type { AllowedHosts } from '../mcp/allowed-hosts';
import type { AgentGate } from './agent-gate';

interface RankingOptions {
  limit: number;
  accept: (id: string) => boolean;
}

interface Ranking {
  /** Which actions fit a query: action ids, best first. */
  search(query: string, options: RankingOptions): string[] | Promise<string[]>;
  /** Why one of them does, or does not. */
  explain(query: string, id: string, options: RankingOptions): Explanation | Promise<Explanation>;
}

export interface AppParts {
  catalog: Catalog;
  ranking: Ranking;
  hub: Hub;
  online: Online;
  keys: KeyRing;
  gate: AgentGate;
  invoker: Invoker;
  learner: Learner;
  limits: Limits;
  /** Names by which MCP clients may call the service, beside those of this machine itself. */
  hosts: AllowedHosts;
  logger: Logger;
}

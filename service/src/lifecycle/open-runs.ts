/** Opens the part that runs code. It is imported only where the operator switched it on, which keeps the start fast. */
import { SvcError } from '#sdk/protocol/errors';
import { searchRequest } from '#sdk/protocol/schemas';
import type { ApprovalDecisions } from '../approvals/approval-decisions';
import type { Begin } from '../calls/call-request';
import type { HandledCalls } from '../calls/handles';
import { RequiredConnections } from '../calls/required-connections';
import type { Cluster } from '../cluster/cluster';
import type { CallConnections } from '../connections/call-connections';
import type { AgentGate } from '../http/agent-gate';
import { answerSearchRequest, type SearchDeps } from '../http/answer-search-request';
import { describeOffered } from '../http/describe-offered';
import { GrantChecks } from '../keys/grant-checks';
import type { KeyRing } from '../keys/key-ring';
import type { KeptTexts } from '../lib/kept-texts';
import { parseOrThrow } from '../lib/parse';
import type { Runs, RunsDeps } from '../runs/runs';
import type { Sandbox } from '../sandbox/sandbox';
import type { StartOptions } from './start-options';

export interface OpenRunsDeps extends SearchDeps, Pick<StartOptions, 'store' | 'limits' | 'logger' | 'code'> {
  cluster: Cluster;
  keys: KeyRing;
  gate: AgentGate;
  texts: KeptTexts;
  begin: Begin;
  handles: HandledCalls;
  decisions: ApprovalDecisions;
  callConnections: CallConnections;
}

export interface OpenedRuns {
  runs: Runs;
  close(): Promise<void>;
}

/** Undefined where the service runs no code. */
export async function openRuns(deps: OpenRunsDeps): Promise<OpenedRuns | undefined> {
  if (!deps.code) return undefined;
  const { Runs } = await import('../runs/runs');
  const { store, gate, decisions, logger } = deps;
  const sandbox = await openedSandbox(logger);
  const runs = new Runs({
    ...deps,
    sandbox,
    store: store.runs,
    invocations: store.invocations,
    approvals: store.approvals,
    grants: new GrantChecks(store.oauth),
    charge: async (key) => {
      if (key.origin === undefined) await gate.count(key);
    },
    search: ({ key, callerIds, body, previousId }) =>
      answerSearchRequest(
        {
          key,
          body: parseOrThrow(searchRequest, body, 'query'),
          headers: { searchId: previousId, sessionId: callerIds?.sessionId, userId: callerIds?.userId, usage: undefined },
          receivedAt: performance.now(),
        },
        deps,
      ),
    describe: (key, id) => describeOffered(key, id, deps),
    accountsOf: accountsOf(deps),
    decide: (record, request, actor) => decisions.decide(record, request, actor),
  });
  return { runs, close: () => sandbox.close() };
}

/** @throws SvcError INVALID_REQUEST where the engine is not installed */
async function openedSandbox(logger: StartOptions['logger']): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox');
  try {
    return openSandbox({ logger });
  } catch (error) {
    throw new SvcError('INVALID_REQUEST', `code: ${error instanceof Error ? error.message : String(error)}`, {}, { cause: error });
  }
}

function accountsOf({ catalog, callConnections, store }: OpenRunsDeps): RunsDeps['accountsOf'] {
  const required = new RequiredConnections({ catalog, connections: callConnections });
  return async (request, actionId) => {
    const action = catalog.action(actionId);
    const ask = action && required.askOf(request, action);
    if (ask?.owner === undefined) return '';
    const rows = await store.connections.ofOwner(ask.toolkit.id, ask.owner);
    return JSON.stringify(rows.map(({ id, version, status, isDefault }) => [id, version, status, isDefault]).sort());
  };
}

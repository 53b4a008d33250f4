/** Other requests of callers than calls: searches, calls that wait for a person, and runs of code, at one node and at all of them. */
import { PATHS } from '../../src/protocol/http.ts';
import type { MeasuredProcess } from '../common/measured-process.ts';
import type { TargetRequest } from '../load/target.ts';
import { createKeys } from '../svc/admin-keys.ts';
import type { Echo } from '../svc/echo.ts';
import { targetOf } from '../svc/target.ts';
import type { NamedTarget } from './named-target.ts';

/** The echo action is called at any of the nodes. The targets end with the cluster. */
export async function otherWork(nodes: MeasuredProcess[], echo: Echo, adminKey: string): Promise<NamedTarget[]> {
  const [toolkit = '', action = ''] = echo.actionId.split('__');
  const [asking, coding] = await createKeys(nodes[0]?.address ?? '', adminKey, [
    { kind: 'agent', name: 'asking', rules: [{ match: { toolkit }, do: 'ask' }] },
    { kind: 'agent', name: 'coding', code: true },
  ]);
  if (!asking || !coding) throw new Error('Each request makes a key');
  const kinds: { name: string; agentKey: string; request: TargetRequest }[] = [
    { name: 'search', agentKey: echo.agentKey, request: { path: PATHS.search, status: 200, body: { query: action }, echo: echo.actionId } },
    {
      name: 'waiting approval',
      agentKey: asking.key,
      request: { path: PATHS.invoke, status: 403, body: { action: echo.actionId, payload: {} }, echo: 'APPROVAL_REQUIRED' },
    },
    {
      name: 'run of code',
      agentKey: coding.key,
      request: { path: PATHS.runs, status: 200, body: { code: `return tools[${JSON.stringify(toolkit)}].${action}({});` }, echo: '"done"' },
    },
  ];
  return kinds.flatMap(({ name, agentKey, request }) =>
    [nodes.slice(0, 1), nodes].map((some) => ({
      name: `${some.length === 1 ? '1 node' : `${some.length} nodes`}, ${name}`,
      running: { ...targetOf(some, { ...echo, agentKey }, false), request, stop: async () => {} },
    })),
  );
}

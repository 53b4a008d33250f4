/** The real service with the fixture toolkit of test/vectors, the counting one and one that needs accounts, keys, and a relay that records calls. */

import { type CreateKeyRequest, createService } from 'svc-service';
import { COUNTING_TOOLKIT, countRuns } from '../../bench/agent/counting.ts';
import { startRelay } from '../../bench/agent/relay.ts';
import { startToolkit } from '../../bench/agent/start-toolkit.ts';
import { defineFixture, fixture } from '../support/vectors.ts';

/** The budget of the key `buyer`, in USD: see test/vectors/README.md. */
const BUDGET = { perCall: '0.05', perDay: '0.06' };

/** A request to `POST /v1/invoke`, as it arrived. */
interface RecordedCall {
  headers: Record<string, unknown>;
  body: unknown;
}

export type ServiceWorld = Awaited<ReturnType<typeof startServiceWorld>>;

export async function startServiceWorld() {
  const service = await createService({ port: 0 });
  const create = async (request: CreateKeyRequest) => (await service.keys.create(request)).key;
  const keys = {
    agent: await create({ kind: 'agent', name: 'agent' }),
    buyer: await create({ kind: 'agent', name: 'buyer', budget: BUDGET }),
    toolkit: await create({ kind: 'toolkit', name: 'guest' }),
    admin: await create({ kind: 'admin', name: 'admin' }),
  };
  const counted = countRuns();
  let openGate = () => {};
  const toolkits = [
    await startToolkit(service, COUNTING_TOOLKIT, counted.define),
    await startToolkit(service, fixture.toolkit.name, (toolkit) => {
      void toolkit.updateToolkit(fixture.toolkit);
      ({ openGate } = defineFixture(toolkit));
    }),
    await startToolkit(service, 'account', (toolkit) => {
      void toolkit.updateToolkit({ auth: { type: 'bearer', from: 'user', help: 'Any token' } });
      toolkit.action({ action: 'whoami', actionDescription: 'Names the account of the user' }, () => 'octocat');
    }),
  ];
  const calls: RecordedCall[] = [];
  let decisions = 0;
  const relay = await startRelay(service.url, ({ path, headers, body }) => {
    if (path.startsWith('/v1/approvals/')) decisions += 1;
    if (path !== '/v1/invoke') return;
    const isKnown = calls.some((call) => call.headers['idempotency-key'] === headers['idempotency-key']);
    // A call that its client approves is made again, and is one call.
    if (isKnown && decisions > 0) decisions -= 1;
    else calls.push({ headers, body: JSON.parse(body.toString()) });
  });
  return {
    url: service.url,
    /** The service behind the relay. */
    recordedUrl: relay.origin,
    keys,
    calls,
    /** Label of a call of the counting toolkit -> how often it ran. */
    runs: counted.runs,
    openGate: () => openGate(),

    async close(): Promise<void> {
      await Promise.all(toolkits.map((toolkit) => toolkit.stop()));
      await relay.close();
      await service.close();
    },
  };
}

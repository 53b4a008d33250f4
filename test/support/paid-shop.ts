/** A toolkit whose action charges the amount in its payload, 0.05 at most, and an agent key with a budget for it. */
import { type Toolkit, Tools } from 'svc-sdk';
import type { CreateKeyRequest } from 'svc-service';

export const AGENT = { kind: 'agent', name: 'agent', budget: { perCall: '1', perDay: '1000' } } satisfies CreateKeyRequest;

export function sellAtMost5Cents(toolkit: Toolkit): void {
  toolkit.action(
    {
      action: 'sell',
      actionDescription: 'Sells something',
      payloadDescription: { cost: 'string', fails: { type: 'boolean' } },
      payment: { amount: '0.05' },
    },
    (ctx, { cost, fails }) => {
      ctx.charge(String(cost));
      if (fails === true) throw new Error('sold out');
      return { sold: true };
    },
  );
}

/** Buys one after the other. Returns the ids of the calls in their order. */
export async function buy(place: { url: string }, agentKey: string, costs: readonly string[]): Promise<string[]> {
  const tools = new Tools({ baseUrl: place.url, apiKey: agentKey });
  const ids: string[] = [];
  for (const cost of costs) ids.push((await tools.invoke('shop__sell', { cost })).invocationId);
  return ids;
}

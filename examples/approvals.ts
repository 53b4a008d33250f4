/**
 * Calls that a person approves first. Rules on the agent key decide which: a large refund is for the people of the service, another one for the app's
 * own user. Service, toolkit and app run in this process.
 *
 *   node examples/approvals.ts
 */
import { Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';

const service = await createService({ port: 0 });
const [toolkitKey, agentKey, adminKey] = await Promise.all([
  service.keys.create({ kind: 'toolkit', name: 'shop' }),
  service.keys.create({
    kind: 'agent',
    name: 'app',
    rules: [
      { match: { action: 'shop__refund', payload: [{ path: '/amount', above: 1_000 }] }, do: 'ask', decidedBy: 'people' },
      { match: { action: 'shop__refund', payload: [{ path: '/amount', above: 100 }] }, do: 'ask', decidedBy: 'app' },
    ],
  }),
  service.keys.create({ kind: 'admin', name: 'people' }),
]);

const toolkit = new Toolkit({ apiKey: toolkitKey.key, baseUrl: service.url });
toolkit.action(
  {
    action: 'refund',
    actionDescription: 'Gives the money of an order back',
    payloadDescription: { order: { type: 'integer', required: true }, amount: { type: 'number', required: true } },
  },
  (_ctx, { order, amount }) => `Order ${order}: ${amount} given back`,
);
const running = toolkit.run();
await toolkit.ready;

const app = new Tools({
  apiKey: agentKey.key,
  baseUrl: service.url,
  userId: 'ada',
  onApprovalRequired({ action, payload, userId }) {
    console.log(`${userId} is asked: ${action} ${JSON.stringify(payload)}`);
    return Number(payload.amount) < 500 ? 'approve' : { decision: 'deny', reason: 'Ask me again next month' };
  },
});

await refund(1, 20);
await refund(2, 200);
await refund(3, 700);
const waiting = await refund(4, 5_000);
// The console, the command and the webhook of the service do the same.
await fetch(`${service.url}/v1/approvals/${waiting.error?.details.approval?.id}`, {
  method: 'POST',
  headers: { authorization: `Bearer ${adminKey.key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ decision: 'approve' }),
});
await refund(4, 5_000);

await toolkit.stop();
await running;
await service.close();

/** Makes the call as a model does, and prints what the model reads. */
async function refund(order: number, amount: number) {
  const answer = await app.answerTool('invoke_service', { action: 'shop__refund', payload: { order, amount } });
  console.log(answer.error ? `The model reads ${answer.error.code}: ${answer.error.message}` : answer.content);
  return answer;
}

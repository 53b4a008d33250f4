/** `node toolkit.ts <ledger file>`: a replica that the harness kills. Writes each run down before and after its effect. SIGUSR2 makes it slow for a while. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveToolkit } from '../svc/sdk.ts';
import { ACTION_NAMES, ACTIONS, type ActionName, type ChaosPayload, type ChaosResult, costOf } from './actions.ts';
import { openLedger } from './ledger.ts';

const SLOW_FOR_MS = 3_000;
const SLOW_BY_MS = 2_500;

const write = openLedger(`${process.argv[2]}`);
let slowUntil = 0;
process.on('SIGUSR2', () => {
  slowUntil = Date.now() + SLOW_FOR_MS;
});

/** The fields of `ActionContext` that are used. */
interface Context {
  invocationId: string;
  idempotencyKey: string;
  attempt: number;
  charge(amount: string): void;
}

async function work(
  action: ActionName,
  { invocationId: invocation, idempotencyKey: key, attempt, charge }: Context,
  payload: ChaosPayload,
): Promise<ChaosResult> {
  const { call, workMs } = payload;
  write({ event: 'begin', at: Date.now(), call, key, invocation, attempt, action });
  await sleep(workMs + (Date.now() < slowUntil ? SLOW_BY_MS : 0));
  const token = randomUUID();
  const failed = action === 'fails';
  const charged = ACTIONS[action].payment && costOf(call);
  if (charged !== undefined) charge(charged);
  write({ event: 'end', at: Date.now(), call, invocation, token, failed, charged });
  if (failed) throw new Error(token);
  return { call, token };
}

await serveToolkit((toolkit) => {
  for (const action of ACTION_NAMES) {
    const { description, annotations, payment, long } = ACTIONS[action];
    toolkit.action<ChaosPayload & object>({ action, actionDescription: description, annotations, payment, long }, (ctx, payload) =>
      work(action, ctx, payload),
    );
  }
});

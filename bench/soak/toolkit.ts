/** A toolkit process that the soak kills: notes each run before it works, for 0 to 200 ms. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serveAction } from '../svc/sdk.ts';
import { openLedger } from './ledger.ts';

const MAX_WORK_MS = 200;

const noteRun = openLedger(`${process.argv[2]}`);

await serveAction('work', async (payload) => {
  const { number } = payload as { number: number };
  noteRun(number);
  await sleep(Math.random() * MAX_WORK_MS);
  return { number };
});

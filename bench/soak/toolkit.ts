/** A toolkit process that the soak kills: notes each run before it works, for 0 to 200 ms. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serveToolkit } from '../svc/sdk.ts';
import { openLedger } from './ledger.ts';

const MAX_WORK_MS = 200;

const noteRun = openLedger(`${process.argv[2]}`);

await serveToolkit((toolkit) =>
  toolkit.action({ action: 'work', actionDescription: 'Serves the bench' }, async (_ctx, payload) => {
    const { number } = payload as { number: number };
    noteRun(number);
    await sleep(Math.random() * MAX_WORK_MS);
    return { number };
  }),
);

/** A process full of idle toolkits. */
import { serveJobs } from '../common/worker-process.ts';
import { IdleToolkit, type ToolkitCounts } from './idle-toolkit.ts';
import type { SocketJob } from './job.ts';

/** Handshakes under way at a time, so that no line of waiting connections overflows while they open for the first time. */
const OPENING_AT_A_TIME = 100;

let counts = freshCounts();
let toolkits: IdleToolkit[] = [];

serveJobs(async (job: SocketJob): Promise<ToolkitCounts> => {
  switch (job.do) {
    case 'open':
      await open(job);
      break;
    case 'cut':
      for (const toolkit of toolkits) toolkit.cut();
      break;
    case 'close':
      for (const toolkit of toolkits) toolkit.stop();
      toolkits = [];
      break;
    case 'count':
  }
  return counts;
});

async function open({ addresses, keys, replicas, actions = 1 }: Extract<SocketJob, { do: 'open' }>): Promise<void> {
  counts = freshCounts();
  const each = keys.flatMap((apiKey, index) => {
    const names = Array.from({ length: actions }, (_, number) => (number === 0 ? `forecast_${index}` : `forecast_${index}_${number}`));
    return Array.from({ length: replicas }, () => ({ apiKey, actions: names }));
  });
  toolkits = each.map((its) => new IdleToolkit({ ...its, addresses, counts }));
  const waiting = toolkits.values();
  const openInTurn = async () => {
    for (const toolkit of waiting) await toolkit.start();
  };
  await Promise.all(Array.from({ length: OPENING_AT_A_TIME }, openInTurn));
}

function freshCounts(): ToolkitCounts {
  return { registered: 0, beats: 0, unanswered: 0, lost: 0, refused: {} };
}

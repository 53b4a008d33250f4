/**
 * Calls at a steady pace, without waiting for answers, so that every call during a stall of the service sees it: latencies count from the time at
 * which a call was due. Each call has an idempotency key, like those of `Tools`. The calls take turns on connections that are open before the fault,
 * like those of agents: a new connection would queue with all the toolkits that reconnect.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { HEADERS, PATHS } from '../../src/protocol/http.ts';
import { percentile } from '../common/statistics.ts';
import { serveJobs } from '../common/worker-process.ts';
import type { ProbeJob, ProbeResult } from './probe-job.ts';

const EVERY_MS = 10;
const PATIENCE_MS = 30_000;
const CONNECTIONS = 32;

let stop: () => Promise<ProbeResult> = () => Promise.reject(new Error('Start the prober first'));

serveJobs(async (job: ProbeJob): Promise<ProbeResult> => {
  if (job.do === 'stop') return stop();
  stop = await start(job);
  return resultOf([], {});
});

async function start({ origin, actionId, agentKey }: Extract<ProbeJob, { do: 'start' }>): Promise<() => Promise<ProbeResult>> {
  const options = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS };
  const connections = Array.from({ length: CONNECTIONS }, () => new Client(origin, options));
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  const headers = { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ action: actionId, payload: { probe: 'echo' } });

  const callOn = (connection: Client) => callOnce(connection, { ...headers, [HEADERS.idempotencyKey]: randomUUID() }, body);
  await Promise.all(connections.map(callOn));
  let calls = 0;
  const call = async (dueAt: number) => {
    const connection = connections[calls++ % CONNECTIONS];
    const failure = connection && (await callOn(connection));
    if (failure === undefined) latencies.push(performance.now() - dueAt);
    else failures[failure] = (failures[failure] ?? 0) + 1;
  };
  let dueAt = performance.now();
  const timer = setInterval(() => {
    for (; dueAt <= performance.now(); dueAt += EVERY_MS) {
      const calling = call(dueAt).finally(() => underWay.delete(calling));
      underWay.add(calling);
    }
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    await Promise.all(connections.map((connection) => connection.close()));
    return resultOf(latencies, failures);
  };
}

/** Undefined for a good answer, else what was wrong with it. */
async function callOnce(connection: Client, headers: Record<string, string>, body: string): Promise<string | undefined> {
  try {
    const answer = await connection.request({ path: PATHS.invoke, method: 'POST', headers, body });
    const text = await answer.body.text();
    return answer.statusCode === 200 ? undefined : (/"code":"(\w+)"/.exec(text)?.[1] ?? `HTTP ${answer.statusCode}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function resultOf(latencies: number[], failures: Record<string, number>): ProbeResult {
  const sorted = Float64Array.from(latencies).sort();
  const [p50Ms, p99Ms, maxMs] = [percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1)];
  return { calls: sorted.length, p50Ms, p99Ms, maxMs, failures };
}

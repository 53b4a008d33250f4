/** `node tools-caller.ts`: runs the calls of the jobs on stdin; prints the figures of each as a line of JSON. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { loadSdk } from '../svc/sdk.ts';
import type { CallerJob, CallerResult } from './caller-job.ts';

const { Tools } = await loadSdk();

for await (const line of createInterface(process.stdin)) console.log(JSON.stringify(await run(JSON.parse(line))));

async function run({ kind, baseUrl, apiKey, action, payload, concurrency, warmUpMs, measureMs }: CallerJob): Promise<CallerResult> {
  const tools = new Tools({ baseUrl, apiKey });
  const call = async () => {
    if (kind === 'bare') return postBare({ baseUrl, apiKey, action, payload });
    if (kind === 'invoke') return (await tools.invoke(action, payload)).result;
    return tools.callTool('invoke_service', { action, payload });
  };
  const expected = JSON.stringify(await call());
  if (!expected.includes(JSON.stringify(payload))) throw new Error(`${expected.slice(0, 200)} is not the echo`);
  const callFor = async (ms: number) => {
    const until = performance.now() + ms;
    let calls = 0;
    const callInTurn = async () => {
      for (; performance.now() < until; calls++) await call();
    };
    await Promise.all(Array.from({ length: concurrency }, callInTurn));
    return calls;
  };
  await callFor(warmUpMs);
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const calls = await callFor(measureMs);
  const { user, system } = process.cpuUsage(before);
  return { calls, perSecond: (calls * 1_000) / (performance.now() - startedAt), cpuMsPerCall: (user + system) / 1_000 / calls };
}

/** The same POST as that of `Tools.invoke`. */
async function postBare({ baseUrl, apiKey, action, payload }: Pick<CallerJob, 'baseUrl' | 'apiKey' | 'action' | 'payload'>) {
  const answer = await fetch(`${baseUrl}/v1/invoke`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'svc-timeout-ms': '60000',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ action, payload }),
  });
  const { result } = (await answer.json()) as { result: unknown };
  return result;
}

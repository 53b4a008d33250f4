/** A service with an echo toolkit in each language. */
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { locateProgram } from '../../scripts/programs.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { pollUntil } from '../common/poll-until.ts';
import { type RunningProcess, startNode, temporaryFolder } from '../common/processes.ts';
import { startPython } from '../common/python.ts';
import type { RunningTarget } from '../load/target.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { toolkitEnvironment } from '../svc/sdk.ts';
import { createKey, onDisk, startService } from '../svc/service.ts';

const ECHO = fileURLToPath(new URL('echo-toolkit.ts', import.meta.url));

export interface Stage {
  origin: string;
  agentKey: string;
  /** Toolkit ids are `typescript` and `python`. */
  target(toolkit: string, action: string): RunningTarget;
  /** True if the toolkit answers a call. */
  serves(toolkit: string): Promise<boolean>;
  /** SIGKILL, and a new start on the same port and data; resolves when it is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startStage(): Promise<Stage> {
  const storage = onDisk(temporaryFolder());
  const adminKey = await createKey('admin', storage);
  let service = startService(storage);
  const [origin] = await service.ready;
  const [typescript, python, agent] = await createKeys(origin, adminKey, [
    { kind: 'toolkit', name: 'typescript' },
    { kind: 'toolkit', name: 'python' },
    { kind: 'agent', name: 'agent' },
  ]);
  const agentKey = `${agent?.key}`;
  const optionsOf = (key: string | undefined) => ({ env: toolkitEnvironment(origin, `${key}`), ready: /ready/ });
  const toolkits: RunningProcess[] = [
    startNode([ECHO], optionsOf(typescript?.key)),
    startPython(locateProgram('python'), ['tests.bench.echo_toolkit'], optionsOf(python?.key)),
  ];
  await Promise.all(toolkits.map(({ ready }) => ready));

  const invoke = async (action: string): Promise<{ status: number; result: unknown }> => {
    const headers = { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' };
    const answer = await request(origin + PATHS.invoke, { method: 'POST', headers, body: JSON.stringify({ action, payload: {} }) });
    const body = (await answer.body.json()) as { result?: unknown };
    return { status: answer.statusCode, result: body.result };
  };
  const serves = async (toolkit: string) => {
    try {
      return (await invoke(`${toolkit}__cpu`)).status === 200;
    } catch {
      return false; // The service is not there.
    }
  };
  for (const toolkit of ['typescript', 'python'])
    await pollUntil(`an answer of ${toolkit}`, async () => (await serves(toolkit)) || undefined);

  return {
    origin,
    agentKey,
    target: (toolkit, action) => ({
      origins: [origin],
      actionId: `${toolkit}__${action}`,
      agentKey,
      keyed: false,
      cpuMs: async () => Number((await invoke(`${toolkit}__cpu`)).result),
      stop: async () => {},
    }),
    serves,
    async restart() {
      await service.kill();
      service = startService([...storage, '--port', new URL(origin).port]);
      await service.ready;
    },
    async stop() {
      await Promise.all(toolkits.map((toolkit) => toolkit.stop()));
      await service.stop();
    },
  };
}

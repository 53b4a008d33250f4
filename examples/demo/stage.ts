/** Everything that a model needs to work with: the service with temporary data, the toolkits, and a key for the agent. */
import { fileURLToPath } from 'node:url';
import { openKeys } from 'svc-sdk/service';
import type { ChildProcesses } from './child-processes.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** The toolkits of `npm run demo`, by the names of their programs. */
export const TOOLKITS = ['maths', 'dates', 'shop', 'text'];

export interface Stage {
  url: string;
  agentKey: string;
  /** The description that each toolkit has registered. */
  toolkits: { name: string; actions: number }[];
}

/** Resolves when every action can be found. */
export async function setStage(children: ChildProcesses, data: string, programs: readonly string[] = TOOLKITS): Promise<Stage> {
  const { agentKey, toolkitKeys } = await createKeys(data, programs);
  const [, url = ''] = await children.start({
    name: 'The service',
    args: [CLI, 'serve', '--port', '0', '--data', data],
    ready: /listens on (http:\S+)/,
  });
  const toolkits = await Promise.all(toolkitKeys.map(({ program, key }) => startToolkit(children, program, { url, key })));
  return { url, agentKey, toolkits };
}

async function createKeys(data: string, programs: readonly string[]) {
  const keys = await openKeys(data);
  try {
    const { key: agentKey } = await keys.create({ kind: 'agent', name: 'demo' });
    const toolkitKeys: { program: string; key: string }[] = [];
    for (const program of programs) {
      const { key } = await keys.create({ kind: 'toolkit', name: program });
      toolkitKeys.push({ program, key });
    }
    return { agentKey, toolkitKeys };
  } finally {
    await keys.close();
  }
}

async function startToolkit(children: ChildProcesses, program: string, { url, key }: { url: string; key: string }) {
  const [, name = '', actions] = await children.start({
    name: `The toolkit ${program}`,
    args: [fileURLToPath(new URL(`../toolkits/${program}.ts`, import.meta.url))],
    env: { SVC_BASE_URL: url, SVC_TOOLKIT_API_KEY: key },
    ready: /^(.+) is ready with (\d+) actions/,
  });
  return { name, actions: Number(actions) };
}

/** Everything that a model needs to work with: the service with temporary data, the toolkits, and a key for the agent. */
import { fileURLToPath } from 'node:url';
import { openKeys } from 'svc-service';
import type { ChildProcesses } from './child-processes.ts';

const CLI = fileURLToPath(new URL('../../service/dist/cli.js', import.meta.url));

export interface ToolkitProgram {
  /** The name of its key, which becomes the id of the toolkit. */
  name: string;
  /** Default: this Node. */
  program?: string;
  args: string[];
  env?: Record<string, string>;
  /** The line that says that it is ready. */
  ready: RegExp;
  /** Returns a few words about it for the reader of the demo. */
  introduce(ready: RegExpExecArray): string;
}

/** The toolkits of `npm run demo`. */
export const TOOLKITS = ['maths', 'dates', 'shop', 'text'].map(typescriptToolkit);

/** @param name of the program in `examples/toolkits` */
export function typescriptToolkit(name: string): ToolkitProgram {
  return {
    name,
    args: [fileURLToPath(new URL(`../toolkits/${name}.ts`, import.meta.url))],
    ready: /^(.+) is ready with (\d+) actions/,
    introduce: ([, title, actions]) => `${title} (${actions})`,
  };
}

export interface Stage {
  url: string;
  agentKey: string;
  /** The introduction of each toolkit. */
  toolkits: string[];
}

/** Resolves when every action can be found. */
export async function setStage(children: ChildProcesses, data: string, programs: readonly ToolkitProgram[] = TOOLKITS): Promise<Stage> {
  const { agentKey, toolkitKeys } = await createKeys(data, programs);
  const [, url = ''] = await children.start({
    name: 'The service',
    args: [CLI, 'serve', '--port', '0', '--data', data, '--code'],
    ready: /listens on (http:\S+)/,
  });
  const toolkits = await Promise.all(toolkitKeys.map(({ program, key }) => startToolkit(children, program, { url, key })));
  return { url, agentKey, toolkits };
}

async function createKeys(data: string, programs: readonly ToolkitProgram[]) {
  const keys = await openKeys(data);
  try {
    const { key: agentKey } = await keys.create({ kind: 'agent', name: 'demo', code: true });
    const toolkitKeys: { program: ToolkitProgram; key: string }[] = [];
    for (const program of programs) {
      const { key } = await keys.create({ kind: 'toolkit', name: program.name });
      toolkitKeys.push({ program, key });
    }
    return { agentKey, toolkitKeys };
  } finally {
    await keys.close();
  }
}

async function startToolkit(
  children: ChildProcesses,
  toolkit: ToolkitProgram,
  { url, key }: { url: string; key: string },
): Promise<string> {
  const { name, env, introduce, ...program } = toolkit;
  const ready = await children.start({
    ...program,
    name: `The toolkit ${name}`,
    env: { ...env, SVC_BASE_URL: url, SVC_TOOLKIT_API_KEY: key },
  });
  return introduce(ready);
}

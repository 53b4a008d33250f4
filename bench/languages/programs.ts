/** The programs of the bench in each language: an echo toolkit, and a caller. */
import { fileURLToPath } from 'node:url';
import { locateProgram } from '../../scripts/programs.ts';
import { buildRustExample } from '../../scripts/rust-example.ts';
import type { Language } from '../common/language.ts';
import { LineProcess } from '../common/line-process.ts';
import { type RunningProcess, startNode, startProcess } from '../common/processes.ts';
import { PYTHON_ENVIRONMENT, startPython } from '../common/python.ts';
import type { CallerJob, CallerResult } from './caller-job.ts';

export interface LanguagePrograms {
  /** Serves the actions `echo` and `cpu` over so many connections. */
  startEcho(env: Record<string, string>, connections?: number): RunningProcess;
  startCaller(): LineProcess<CallerJob, CallerResult>;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const READY = { ready: /ready/ };

/** Resolves when the programs of this language can be started. */
export function preparePrograms(language: Language): Promise<LanguagePrograms> {
  return PREPARE[language]();
}

const PREPARE: Readonly<Record<Language, () => Promise<LanguagePrograms>>> = {
  ts: async () => ({
    startEcho: (env, connections = 1) => startNode([path('echo-toolkit.ts'), `${connections}`], { env, ...READY }),
    startCaller: () => new LineProcess(process.execPath, [path('tools-caller.ts')], {}),
  }),
  python: async () => {
    const python = locateProgram('python');
    return {
      startEcho: (env, connections = 1) => startPython(python, ['tests.bench.echo_toolkit', `${connections}`], { env, ...READY }),
      startCaller: () => new LineProcess(python, ['-m', 'tests.bench.tools_caller'], PYTHON_ENVIRONMENT),
    };
  },
  rust: async () => {
    const echo = await buildRustExample('echo_toolkit', { release: true });
    const caller = await buildRustExample('tools_caller', { release: true });
    return {
      startEcho: (env, connections = 1) => startProcess(echo, [`${connections}`], { env, ...READY }),
      startCaller: () => new LineProcess(caller, [], {}),
    };
  },
};

/** The programs of a replica, one for each SDK. They do the same. */
import { fileURLToPath } from 'node:url';
import { locateProgram } from '../../scripts/programs.ts';
import { buildRustExample } from '../../scripts/rust-example.ts';
import type { Language } from '../common/language.ts';
import { type RunningProcess, type StartOptions, startNode, startProcess } from '../common/processes.ts';
import { startPython } from '../common/python.ts';
import { ACTIONS } from './actions.ts';

type StartReplica = (ledger: string, options: StartOptions) => RunningProcess;

export interface ReplicaProgram {
  language: Language;
  start: StartReplica;
}

const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url));

/** Resolves when the replicas of these languages can be started. */
export function prepareReplicas(languages: readonly Language[]): Promise<ReplicaProgram[]> {
  return Promise.all(languages.map(async (language) => ({ language, start: await PREPARE[language]() })));
}

const PREPARE: Readonly<Record<Language, () => Promise<StartReplica>>> = {
  ts: async () => (ledger, options) => startNode([TOOLKIT, ledger], options),
  python: async () => {
    const python = locateProgram('python');
    return (ledger, options) => startPython(python, ['tests.bench.chaos_toolkit', ledger, JSON.stringify(ACTIONS)], options);
  },
  rust: async () => {
    const program = await buildRustExample('chaos_toolkit');
    return (ledger, options) => startProcess(program, [ledger, JSON.stringify(ACTIONS)], options);
  },
};

/** The programs of a replica, one for each SDK. They do the same. */
import { fileURLToPath } from 'node:url';
import { locateProgram } from '../../scripts/programs.ts';
import { type RunningProcess, type StartOptions, startNode } from '../common/processes.ts';
import { startPython } from '../common/python.ts';
import { ACTIONS } from './actions.ts';

export type Language = 'ts' | 'python';

type StartReplica = (ledger: string, options: StartOptions) => RunningProcess;

const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url));

export const REPLICAS: Readonly<Record<Language, StartReplica>> = {
  ts: (ledger, options) => startNode([TOOLKIT, ledger], options),
  python: (ledger, options) =>
    startPython(locateProgram('python'), ['tests.bench.chaos_toolkit', ledger, JSON.stringify(ACTIONS)], options),
};

export const LANGUAGES = Object.keys(REPLICAS) as Language[];

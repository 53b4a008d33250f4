/**
 * The built service with a large catalogue, and callers that search over HTTP; service, toolkits and callers are separate processes.
 *
 * Shape:  the actions come from toolkits of 1,000 each, as many as one may register, whatever toolkit they belong to in the files: ranking is
 *         not what is measured here, and a few sockets are enough to have all actions online.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { removeFolder, startNode, temporaryFolder } from '../common/processes.ts';
import { LegalIds } from '../retrieval/legal-ids.ts';

export interface HttpFigures {
  actions: number;
  callers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export const CALLERS = 16;

/** The processes exchange data through files, since it is too long for a command line. */
export interface StartedService {
  origin: string;
  agentKey: string;
  toolkitKeys: string[];
}
export interface ToolkitJob {
  key: string;
  actions: { name: string; description: string; payloadSchema: SearchDocument['payloadSchema'] }[];
}
export interface CallerJob {
  origin: string;
  agentKey: string;
  queries: string[];
  callers: number;
  seconds: number;
}

const processFile = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export async function measureHttp(documents: readonly SearchDocument[], queries: string[], seconds: number): Promise<HttpFigures> {
  const folder = temporaryFolder();
  const fileOf = (name: string, content: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  const groups = toolkitsOf(documents);
  const started = join(folder, 'started');
  const service = startNode([processFile('service-process.ts'), String(groups.length), started], { ready: /ready/ });
  await service.ready;
  const { origin, agentKey, toolkitKeys }: StartedService = JSON.parse(readFileSync(started, 'utf8'));
  const jobs: ToolkitJob[] = groups.map((actions, index) => ({ key: toolkitKeys[index] as string, actions }));
  const toolkits = startNode([processFile('toolkits-process.ts'), origin, fileOf('toolkits', jobs)], { ready: /ready/ });
  await toolkits.ready;
  const job: CallerJob = { origin, agentKey, queries, callers: CALLERS, seconds };
  const caller = startNode([processFile('caller-process.ts'), fileOf('caller', job)], { ready: /(\{.*\})\n/ });
  const figures = JSON.parse((await caller.ready)[1] as string);
  await Promise.all([caller, toolkits, service].map((process) => process.stop()));
  removeFolder(folder);
  return { actions: documents.length, callers: CALLERS, ...figures };
}

function toolkitsOf(documents: readonly SearchDocument[]): ToolkitJob['actions'][] {
  const most = DEFAULT_LIMITS.actionsPerToolkit;
  return Array.from({ length: Math.ceil(documents.length / most) }, (_, index) => {
    const ids = new LegalIds();
    // As long as the ids of the service: "toolkit-12__…".
    const prefix = 'toolkit-000';
    return documents.slice(index * most, (index + 1) * most).map(({ id, description, payloadSchema, name }) => ({
      name: ids.action(prefix, id.replace('__', '_')).slice(prefix.length + 2),
      description: description || name,
      payloadSchema,
    }));
  });
}

/** The catalogue of a running service, as its search indexes it. */

import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import type { CatalogAction, CatalogToolkit } from '../../src/protocol/http.ts';
import { parseActionId } from '../../src/protocol/ids.ts';

const PAGE = 200;

/** @param key of an agent that may use everything */
export async function documentsOf(baseUrl: string, key: string): Promise<SearchDocument[]> {
  const toolkits = new Map((await list<CatalogToolkit>(baseUrl, key, 'toolkits')).map((toolkit) => [toolkit.id, toolkit]));
  const actions = await list<CatalogAction>(baseUrl, key, 'actions');
  return actions.map(({ action, toolkit: toolkitId, description, payloadSchema, annotations }) => {
    const { name: toolkitName, description: toolkitDescription } = toolkits.get(toolkitId) as CatalogToolkit;
    const name = parseActionId(action)?.actionName as string;
    return { id: action, toolkitId, toolkitName, toolkitDescription, name, description, payloadSchema, annotations };
  });
}

async function list<T>(baseUrl: string, key: string, kind: 'toolkits' | 'actions'): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== '' && { cursor }) });
    const response = await fetch(`${baseUrl}/v1/${kind}?${query}`, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`GET /v1/${kind} answers ${response.status}`);
    const page = (await response.json()) as { [kind: string]: T[] } & { nextCursor?: string };
    all.push(...(page[kind] as T[]));
    cursor = page.nextCursor;
  }
  return all;
}

/** The selection of tools, from the query of the URL: `/mcp?dynamicTools=false&staticToolkits=weather,shop&staticActions=shop__find_order`. */
import type { GetToolsOptions } from 'svc-sdk';
import { SvcError } from '#sdk/protocol/errors';
import { readFlag, readList } from '#sdk/protocol/selection';

const NAMES = ['dynamicTools', 'staticToolkits', 'staticActions', 'code'];

/** `code` adds the tool `run_code`. */
export interface McpQuery extends GetToolsOptions {
  code: boolean;
}

/** @throws SvcError INVALID_REQUEST */
export function readQuery(query: URLSearchParams): McpQuery {
  for (const name of query.keys()) {
    // The value is not quoted: it may be the key, by mistake.
    if (!NAMES.includes(name))
      throw new SvcError(
        'INVALID_REQUEST',
        `There is no ${JSON.stringify(name.slice(0, 100))} in the URL of MCP: its query may hold ${NAMES.join(', ')}; the key goes into the header Authorization`,
      );
  }
  const textOf = (name: string) => query.getAll(name).join(',');
  return {
    dynamicTools: readFlag('dynamicTools', textOf('dynamicTools')) ?? true,
    staticToolkits: readList(textOf('staticToolkits')),
    staticActions: readList(textOf('staticActions')),
    code: readFlag('code', textOf('code')) ?? false,
  };
}

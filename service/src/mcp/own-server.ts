/** The MCP server of the service itself, for one message of one caller. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { Tools } from 'svc-sdk';
import { svcMcpServer } from 'svc-sdk/mcp';
import { callerOf } from '../keys/caller-ids';
import { type McpCaller, type OwnFetchDeps, ownFetch } from './own-fetch';
import { readQuery } from './query';

/** `Tools` requires a key of this form. The caller's key is already checked, and is not passed on. */
const NO_KEY = 'svc_agent_none';

/** @throws SvcError INVALID_REQUEST for a query that cannot be meant */
export function ownServer(query: URLSearchParams, caller: McpCaller, deps: OwnFetchDeps): McpServerFactory {
  const { key, callerIds } = caller;
  const { code, ...selection } = readQuery(query);
  const tools = new Tools({ apiKey: NO_KEY, baseUrl: 'http://in-process', fetch: ownFetch(deps, caller), code, ...callerIds });
  // A token decides nothing, so its user is asked for no decision.
  if (key.token) Object.assign(tools, { decideApproval: undefined });
  const stateKey = () => deps.stateKey(JSON.stringify([key.id, callerOf(key, callerIds)?.userId]));
  return svcMcpServer({ ...selection, tools, stateKey });
}

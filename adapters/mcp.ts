/**
 * Model Context Protocol: `serveStdio(svcMcpServer())`, or `createMcpHandler(svcMcpServer())` over HTTP.
 * Translation only; search, retries and limits are the client's.
 *
 * Source: https://modelcontextprotocol.io/specification, revisions 2024-11-05 to 2026-07-28.
 */
import type { McpServerFactory, Tool } from '@modelcontextprotocol/server';
import { SvcError } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  failedAnswer,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type ToolsLike,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';
import { version } from '../package.json';
import { LenientServer } from './mcp/lenient-server';
import { progressListener } from './mcp/progress';
import { notOffered, toMcpTool, toResult } from './mcp/tool';

/** There is no `needsApproval`: an MCP client asks its human itself, and decides with the annotations of a tool. */
export type SvcMcpOptions = WithoutApproval<LoadSvcToolsOptions>;

const INSTRUCTIONS =
  'Find actions for live data, other services, files, messages and computations with search_services, run one with invoke_service. ' +
  'Search before you say that you cannot do something.';

/** A tool that shows user and model why static tools are missing: clients show the list of tools to the user, and models read it. */
const MISSING_TOOLS = 'missing_tools';

/**
 * `search_services`, `invoke_service` and static toolkits and actions as MCP tools. Makes no network call: static tools are loaded when a client
 * lists its tools.
 *
 * A result is the text of its JSON, and `structuredContent` too when it is an object. With images, files and links it is the text and these. An
 * error is `{error: {code, message, …}}` with `isError`; only a tool that is not offered is a protocol error, -32602.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcMcpServer(options: ToolsLike | SvcMcpOptions = {}): McpServerFactory {
  const { dynamic, loadStatic } = chooseTools(options);
  let loaded: AgentTool[] = [];
  const load = async () => {
    loaded = await loadStatic();
    return loaded;
  };
  const find = async (name: string) => {
    const byName = (tool: AgentTool) => tool.name === name;
    return dynamic.find(byName) ?? loaded.find(byName) ?? (await load()).find(byName);
  };

  return ({ requestInfo }) => {
    // Over HTTP a server lives for one request, so it cannot notify a client of a change.
    const tools = requestInfo ? {} : { listChanged: true };
    const server = new LenientServer(
      { name: 'svc-sdk', version },
      { capabilities: { tools }, ...(dynamic.length > 0 && { instructions: INSTRUCTIONS }) },
    );
    server.setRequestHandler('tools/list', async () => {
      const rest = await load().then((found) => found.map(toMcpTool), missingTools);
      return { tools: [...dynamic.map(toMcpTool), ...rest] };
    });
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, ctx) => {
      try {
        if (name === MISSING_TOOLS) {
          const found = await load();
          await server.sendToolListChanged();
          return { content: [{ type: 'text', text: `They can be used again: ${found.map((tool) => tool.name).join(', ')}` }] };
        }
        const tool = await find(name);
        if (!tool) throw notOffered(name, dynamic);
        const { signal, id } = ctx.mcpReq;
        const options = { signal, toolCallId: String(id), onProgress: progressListener(ctx) };
        return toResult(await tool.answer(server.argumentsOf(ctx, input), options), tool);
      } catch (error) {
        // An SvcError comes from `load`: the error of a call is in its answer.
        if (!SvcError.is(error)) throw error;
        return toResult(failedAnswer(error));
      }
    });
    return server;
  };
}

function chooseTools(options: ToolsLike | SvcMcpOptions): { dynamic: AgentTool[]; loadStatic: () => Promise<AgentTool[]> } {
  const { tools, dynamicTools = true, staticToolkits = [], staticActions = [] } = optionsWithoutApproval('An MCP server', options);
  const nothingStatic = dynamicTools && staticToolkits.length + staticActions.length === 0;
  return {
    dynamic: dynamicTools ? agentTools(tools) : [],
    loadStatic: async () => (nothingStatic ? [] : loadAgentTools({ tools, dynamicTools: false, staticToolkits, staticActions })),
  };
}

function missingTools(error: unknown): Tool[] {
  if (!SvcError.is(error)) throw error;
  const description = `Tools are missing here (${error.code}: ${error.message}). Tell the user; call this tool to look again.`;
  return [{ name: MISSING_TOOLS, description, inputSchema: { type: 'object' } }];
}

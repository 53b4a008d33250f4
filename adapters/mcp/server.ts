/** An MCP server that lists tools and answers their calls. */
import type { Server, Tool } from '@modelcontextprotocol/server';
import { SvcError } from 'svc-sdk';
import { failedAnswer } from 'svc-sdk/agent-tool';
import { answerMcpCall } from './answer-mcp-call';
import { TASKS } from './client-features';
import { LenientServer } from './lenient-server';
import type { OfferedTools } from './offered-tools';
import { startProgress } from './progress';
import { serveResources } from './resources';
import { SERVER_INFO } from './server-info';
import { serveTasks } from './tasks';
import { notOffered, toMcpTool, toResult } from './tool';

const INSTRUCTIONS =
  'Find actions for live data, other services, files, messages and computations with search_services, run one with invoke_service. ' +
  'Search before you say that you cannot do something.';

/** A tool that shows user and model why static tools are missing: clients show the list of tools to the user, and models read it. */
const MISSING_TOOLS = 'missing_tools';

/** The extension of MCP Apps. */
const APPS = 'io.modelcontextprotocol/ui';

interface Served {
  /** Over HTTP: the server cannot notify its client of a change. */
  isOfOneRequest: boolean;
  /** Revision 2026-07-28. */
  hasTasks: boolean;
}

export function toServer(offered: OfferedTools, { isOfOneRequest, hasTasks }: Served): Server {
  const tools = isOfOneRequest ? {} : { listChanged: true };
  const resources = offered.mayHaveStatic && { resources: {} };
  const extensions = { ...(hasTasks && { [TASKS]: {} }), ...(resources && { [APPS]: {} }) };
  const server = new LenientServer(SERVER_INFO, {
    capabilities: { tools, ...resources, ...(Object.keys(extensions).length > 0 && { extensions }) },
    ...(offered.dynamic.length > 0 && { instructions: INSTRUCTIONS }),
  });
  if (resources) serveResources(server, offered);
  if (hasTasks) serveTasks(server, offered);
  server.setRequestHandler('tools/list', async () => {
    const rest = await offered.loadStatic().then((found) => found.map(toMcpTool), missingTools);
    return { tools: [...offered.dynamic.map(toMcpTool), ...rest] };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, ctx) => {
    const progress = startProgress(ctx);
    try {
      if (name === MISSING_TOOLS) {
        const found = await offered.loadStatic();
        await server.sendToolListChanged();
        return { content: [{ type: 'text', text: `They can be used again: ${found.map((tool) => tool.name).join(', ')}` }] };
      }
      const tool = await offered.find(name);
      if (!tool) throw notOffered(name, offered.dynamic);
      const { listener: onProgress } = progress;
      return await answerMcpCall(offered, { tool, input: server.argumentsOf(ctx, input), onProgress, server, ctx });
    } catch (error) {
      // An SvcError here is of loading or connecting: the error of a call is in its answer.
      if (!SvcError.is(error)) throw error;
      return toResult(failedAnswer(error));
    } finally {
      progress.end();
    }
  });
  return server;
}

function missingTools(error: unknown): Tool[] {
  if (!SvcError.is(error)) throw error;
  const description = `Tools are missing here (${error.code}: ${error.message}). Tell the user; call this tool to look again.`;
  return [{ name: MISSING_TOOLS, description, inputSchema: { type: 'object' } }];
}

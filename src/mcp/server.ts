/** The MCP server of this process, configured by its environment. It also serves an invalid configuration: an ended process cannot explain it. */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { type GetToolsOptions, SvcError, Tools } from 'svc-sdk';
import type { ToolsLike } from 'svc-sdk/agent-tool';
import { svcMcpServer } from 'svc-sdk/mcp';
import { readCaller, readCodeFlag, readConnections, readMaxPayment, readSelection } from './environment';
import { explainedTools, failingTools } from './explained-tools';
import { log } from './log';

export function serverFromEnvironment(args: string[]): McpServerFactory {
  try {
    // The value is not quoted: by mistake it may be the key.
    if (args.length > 0)
      throw new SvcError('INVALID_REQUEST', 'svc-tools-mcp takes no arguments: set the SVC_… variables that --help lists');
    const tools = new Tools({
      maxPayment: readMaxPayment(process.env),
      code: readCodeFlag(process.env),
      ...readCaller(process.env),
      ...readConnections(process.env),
    });
    return configuredServer(explainedTools(tools), readSelection(process.env));
  } catch (error) {
    if (!SvcError.is(error)) throw error;
    log(error);
    return svcMcpServer({ tools: failingTools(error), dynamicTools: false });
  }
}

function configuredServer(tools: ToolsLike, selection: GetToolsOptions): McpServerFactory {
  const factory = svcMcpServer({ ...selection, tools });
  let checked = false;
  return (context) => {
    // Runs after the first answer, which the client waits for.
    if (!checked) setImmediate(check, tools);
    checked = true;
    return factory(context);
  };
}

/** Logs now the error that each call would show to the model later. */
async function check(tools: ToolsLike): Promise<void> {
  const { error } = await tools.answerTool('search_services', { query: 'anything', limit: 1 });
  if (error) log(error);
}

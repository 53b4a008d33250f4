/**
 * Model Context Protocol: `serveStdio(svcMcpServer())`, or `createMcpHandler(svcMcpServer())` over HTTP.
 * Translation only; search, retries and limits are the client's.
 *
 * Source: https://modelcontextprotocol.io/specification, revisions 2024-11-05 to 2026-07-28.
 */
import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { type ActionAnnotations, type JsonSchema, type Progress, SvcError, type ToolAnswer } from 'svc-sdk';
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

/** Without `needsApproval`: in MCP it is the client that asks its human, and the annotations of a tool help it to decide. */
export type SvcMcpOptions = WithoutApproval<LoadSvcToolsOptions>;

const INSTRUCTIONS =
  'Find actions for live data, other services, files, messages and computations with search_services, run one with invoke_service. ' +
  'Search before you say that you cannot do something.';

const ANNOTATIONS: Record<string, ActionAnnotations> = {
  search_services: { readOnly: true, openWorld: false },
  // It may run anything.
  invoke_service: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
};

/** Stands in the list for tools that cannot be had now: the list is what every client shows to its user, and models read it. */
const MISSING_TOOLS = 'missing_tools';

/**
 * `search_services`, `invoke_service` and static toolkits and actions as MCP tools. Makes no network call: what is static is looked up when
 * a client lists its tools.
 *
 * A result is the text of its JSON, and `structuredContent` too when it is an object; with images, files and links it is the text and these. So is an error, `{error: {code, message, …}}`, with
 * `isError`; only a tool that is not offered is an error of the protocol, -32602.
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
    // Over HTTP a server lives for one request, and has nobody left to tell of a change.
    const tools = requestInfo ? {} : { listChanged: true };
    const server = new Server(
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
        return toResult(await tool.answer(input, { signal, toolCallId: String(id), onProgress: progressListener(ctx) }));
      } catch (error) {
        // From `load`: what is wrong with a call is in its answer.
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

function toMcpTool({ name, description, parameters, annotations = ANNOTATIONS[name] }: AgentTool): Tool {
  const hints = annotations && Object.fromEntries(Object.entries(annotations).map(([hint, value]) => [`${hint}Hint`, value]));
  return { name, description, inputSchema: toInputSchema(parameters), ...(hints && { annotations: hints }) };
}

/** Untouched but for `true` and `false` as the schema of a property, for which official clients refuse the whole list. */
function toInputSchema(schema: JsonSchema): Tool['inputSchema'] {
  const properties = Object.entries(schema.properties ?? {});
  const isBoolean = ([, part]: [string, unknown]) => typeof part === 'boolean';
  if (!properties.some(isBoolean)) return schema as Tool['inputSchema'];
  const asObjects = properties.map(([name, part]) => [name, part === true ? {} : part === false ? { not: {} } : part]);
  return { ...schema, type: 'object', properties: Object.fromEntries(asObjects) };
}

function missingTools(error: unknown): Tool[] {
  if (!SvcError.is(error)) throw error;
  const description = `Tools are missing here (${error.code}: ${error.message}). Tell the user; call this tool to look again.`;
  return [{ name: MISSING_TOOLS, description, inputSchema: { type: 'object' } }];
}

function toResult({ value, content, blocks, error }: ToolAnswer): CallToolResult {
  // Without `structuredContent`: some clients show a model that alone, and so no image.
  if (blocks) return { content: [...blocks] as CallToolResult['content'] };
  const structuredContent = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  return { content: [{ type: 'text', text: content }], ...(structuredContent && { structuredContent }), ...(error && { isError: true }) };
}

/** As the specification has it for unknown tools; also for actions that exist but are not offered as tools here. */
function notOffered(name: string, dynamic: AgentTool[]): ProtocolError {
  const advice =
    dynamic.length > 0 ? 'Find actions with search_services, run one with invoke_service.' : 'List the tools to see those that there are.';
  const { code, message, retryable } = new SvcError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(name)} here. ${advice}`).toJSON();
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, message, retryable });
}

function progressListener({ mcpReq }: ServerContext): ((progress: Progress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let reached = Number.NEGATIVE_INFINITY;
  return (report) => {
    // The specification wants it to grow, and a call that was sent again begins anew.
    if (report.progress <= reached) return;
    reached = report.progress;
    // Fails when the client has gone, which cancels the call.
    mcpReq.notify({ method: 'notifications/progress', params: { ...report, progressToken } }).catch(() => {});
  };
}

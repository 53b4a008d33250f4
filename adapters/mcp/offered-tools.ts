/** The tools of a server: the dynamic ones, and static toolkits and actions, which are loaded when a client needs them. */
import { SvcError } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type ToolsLike,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';

/** There is no `needsApproval`: an MCP client has its own approval, which uses the annotations of a tool. */
export type SvcMcpOptions = WithoutApproval<LoadSvcToolsOptions>;

type Invoke = NonNullable<ToolsLike['invoke']>;

export interface OfferedTools {
  dynamic: AgentTool[];
  mayHaveStatic: boolean;
  /** @throws SvcError */
  loadStatic(): Promise<AgentTool[]>;
  /** @throws SvcError */
  find(name: string): Promise<AgentTool | undefined>;
  /** @throws SvcError */
  invoke: Invoke;
  /** @throws SvcError */
  confirm(code: string): Promise<unknown>;
}

export function offeredTools(options: ToolsLike | SvcMcpOptions): OfferedTools {
  const { tools, dynamicTools = true, staticToolkits = [], staticActions = [] } = optionsWithoutApproval('An MCP server', options);
  const nothingStatic = dynamicTools && staticToolkits.length + staticActions.length === 0;
  const dynamic = dynamicTools ? agentTools(tools) : [];
  let loaded: AgentTool[] = [];
  const loadStatic = async () => {
    loaded = nothingStatic ? [] : await loadAgentTools({ tools, dynamicTools: false, staticToolkits, staticActions });
    return loaded;
  };
  return {
    dynamic,
    mayHaveStatic: staticToolkits.length + staticActions.length > 0,
    loadStatic,
    invoke: tools.invoke?.bind(tools) ?? cannotInvoke,
    async confirm(code) {
      if (!tools.confirmConnection) throw new SvcError('NOT_FOUND', 'This `Tools` confirms no connections');
      await tools.confirmConnection({ code });
    },
    async find(name) {
      const byName = (tool: AgentTool) => tool.name === name;
      const known = dynamic.find(byName) ?? loaded.find(byName);
      if (known) return known;
      const found = await loadStatic();
      return found.find(byName) ?? theOnly(found.filter((tool) => tool.name.endsWith(`__${name}`)));
    },
  };
}

/** The page of an MCP App calls the tools of its own server by their own names. */
function theOnly(tools: AgentTool[]): AgentTool | undefined {
  return tools.length === 1 ? tools[0] : undefined;
}

const cannotInvoke: Invoke = () => Promise.reject(new SvcError('NOT_FOUND', 'This `Tools` reads no resources'));

/** The tools of a server: the dynamic ones, and static toolkits and actions, which are loaded when a client needs them. */
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

export interface OfferedTools {
  dynamic: AgentTool[];
  /** @throws SvcError */
  loadStatic(): Promise<AgentTool[]>;
  /** @throws SvcError */
  find(name: string): Promise<AgentTool | undefined>;
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
    loadStatic,
    async find(name) {
      const byName = (tool: AgentTool) => tool.name === name;
      return dynamic.find(byName) ?? loaded.find(byName) ?? (await loadStatic()).find(byName);
    },
  };
}

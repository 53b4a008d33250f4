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
import { RoundStates, type StateKey } from './round-state';

/** There is no `needsApproval`: an MCP client has its own approval, which uses the annotations of a tool. */
export interface SvcMcpOptions extends WithoutApproval<LoadSvcToolsOptions> {
  /**
   * Signs the state that a client sends back while its call waits for a person: at least 32 characters, or a function that returns them. Servers of one
   * client need the same. Default: random, for one process.
   */
  stateKey?: StateKey | undefined;
}

type Invoke = NonNullable<ToolsLike['invoke']>;
type Look = NonNullable<ToolsLike['result']>;
type Decide = NonNullable<ToolsLike['decideApproval']>;

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
  /**
   * Undefined for a `Tools` of an earlier version.
   *
   * @throws SvcError
   */
  look: Look | undefined;
  /** @throws SvcError */
  cancel(handle: string): Promise<void>;
  /**
   * Decides about a call for the client's user. Undefined where the credential of the calls may not.
   *
   * @throws SvcError
   */
  decide: Decide | undefined;
  /** @throws SvcError */
  resolve: ToolsLike['resolve'];
  states: RoundStates;
}

export function offeredTools(given: ToolsLike | SvcMcpOptions): OfferedTools {
  const { stateKey = randomKey(), ...others } = 'stateKey' in given ? given : {};
  const options = 'stateKey' in given ? others : given;
  const { tools, dynamicTools = true, staticToolkits = [], staticActions = [] } = optionsWithoutApproval('An MCP server', options);
  const nothingStatic = dynamicTools && staticToolkits.length + staticActions.length === 0;
  const dynamic = dynamicTools ? agentTools({ tools, needsApproval: false }) : [];
  let loaded: AgentTool[] = [];
  const loadStatic = async () => {
    loaded = nothingStatic ? [] : await loadAgentTools({ tools, needsApproval: false, dynamicTools: false, staticToolkits, staticActions });
    return loaded;
  };
  return {
    dynamic,
    mayHaveStatic: staticToolkits.length + staticActions.length > 0,
    loadStatic,
    invoke: tools.invoke?.bind(tools) ?? cannotInvoke,
    look: tools.result?.bind(tools),
    cancel: tools.cancel?.bind(tools) ?? cannotFollow,
    decide: tools.decideApproval?.bind(tools),
    resolve: tools.resolve.bind(tools),
    states: new RoundStates(stateKey),
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

const cannotFollow = () => Promise.reject(new SvcError('NOT_FOUND', 'This `Tools` follows no calls'));

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const cannotInvoke: Invoke = () => Promise.reject(new SvcError('NOT_FOUND', 'This `Tools` reads no resources'));

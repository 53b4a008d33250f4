/** The options of an agent. */
import type { ActionInfo } from 'svc-sdk';
import type { BaseClient } from './chat/base-client';
import type { MessageContext } from './chat/message-context';
import type { AgentEvent } from './events';
import type { AskModel } from './model/ask-model';

/** A call that needs approval. */
export interface CallToApprove {
  /** The action's id. */
  action: string;
  /** The decoded payload that would run. */
  payload: Record<string, unknown>;
  info: ActionInfo;
}

/** Decides about a call that needs approval. An error counts as no. */
export type ApproveCall = (ctx: MessageContext, request: CallToApprove) => boolean | Promise<boolean>;

export interface AgentOptions {
  /** Agent key, `svc_agent_…`. Default: the environment variable `SVC_AGENT_API_KEY`. */
  apiKey?: string | undefined;
  /** Agents with different ids can share one store. Default: `''`. */
  agentId?: string | undefined;
  clients?: readonly BaseClient[] | undefined;
  /** Tool calls that run at a time, of all turns together, 1 to 1,000. Default: 10. */
  toolCallConcurrency?: number | undefined;
  /** Path of a SQLite file; `:memory:` keeps nothing. Default: `svc-agent.db`. */
  store?: string | undefined;
  /** Address of the service. Default: the environment variable `SVC_BASE_URL`, then `http://127.0.0.1:8787`. */
  baseUrl?: string | undefined;
  /** Asks a model in place of chat completions. `aiModel` of `svc-sdk/agent/ai` makes one of any AI SDK model. */
  model?: AskModel | undefined;
  /** Decides who may talk to the agent. A message that is refused leaves no trace; an error refuses too. Default: everybody. */
  accept?: ((ctx: MessageContext, clientId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * The rule for a call of an action that is declared `destructive`, or costs more than `askAbove`: `'ask'` asks the person who wrote, in the
   * chat; a function decides; `'never'` runs it. Default: `'ask'`.
   */
  approve?: 'ask' | 'never' | ApproveCall | undefined;
  /** Calls of actions with a higher price than this amount, such as `0.50`, need approval too. Default: the price alone asks nobody. */
  askAbove?: string | undefined;
  /** User ids that may answer questions for everybody, each as `<client id>/<user id>`. Default: only the person who wrote may answer. */
  owners?: readonly string[] | undefined;
  /** True shows a long answer while it is written, on platforms where messages can be edited. Default: false. */
  edit?: boolean | undefined;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Messages of the model in one turn, 1 to 100. Default: 20. */
  maxSteps?: number | undefined;
  /** Calls in one message of the model, 1 to 1,000. Those beyond are answered with an error. Default: 32. */
  maxCallsPerStep?: number | undefined;
  /** Milliseconds that a turn may take, without the time that it waits for a person. Default: 300,000. */
  turnTimeoutMs?: number | undefined;
  /** Tokens of earlier turns that the model reads, counted as four characters each. Default: 24,000. */
  historyTokens?: number | undefined;
  /** Turns that run at a time. Default: 16. */
  maxConcurrentTurns?: number | undefined;
  /** Days that finished turns are kept. Default: 30. */
  retentionDays?: number | undefined;
}

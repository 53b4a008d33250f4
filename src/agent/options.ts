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
  /** The decoded payload of the call. */
  payload: Record<string, unknown>;
  info: ActionInfo;
}

/** Decides about a call that needs approval. An error refuses the call. */
export type ApproveCall = (ctx: MessageContext, request: CallToApprove) => boolean | Promise<boolean>;

/** A chat in which people decide about calls. */
export interface ApproverChat {
  /** The id of one of the agent's clients. */
  client: string;
  chatId: string;
  /** The platform's ids of the people who may press the buttons, beside the `owners` of the agent. */
  users?: readonly string[] | undefined;
}

/** Chats to which the agent brings the questions of the service: calls that people have to approve. */
export interface ApproverChatsOption {
  /** Admin key, `svc_admin_…`. Default: the environment variable `SVC_ADMIN_API_KEY`. */
  apiKey?: string | undefined;
  chats: readonly ApproverChat[];
  /** Ids of agent keys. Default: all whose questions the admin key sees. */
  keys?: readonly string[] | undefined;
  /** Milliseconds between two looks for questions. Default: 2,000. */
  pollMs?: number | undefined;
}

export interface AgentOptions {
  /** Agent key, `svc_agent_…`. Default: the environment variable `SVC_AGENT_API_KEY`. */
  apiKey?: string | undefined;
  /** Agents with different ids can share a store. Default: `''`. */
  agentId?: string | undefined;
  clients?: readonly BaseClient[] | undefined;
  /** Concurrent tool calls of all turns, 1 to 1,000. Default: 10. */
  toolCallConcurrency?: number | undefined;
  /** Path of a SQLite file; `:memory:` is not durable. Default: `svc-agent.db`. */
  store?: string | undefined;
  /** Address of the service. Default: the environment variable `SVC_BASE_URL`, then `http://127.0.0.1:8787`. */
  baseUrl?: string | undefined;
  /** Replaces chat completions. `aiModel` of `svc-sdk/agent/ai` adapts any AI SDK model. */
  model?: AskModel | undefined;
  /** Decides whether a message is accepted. A refused message is not stored; an error refuses. Default: all messages are accepted. */
  accept?: ((ctx: MessageContext, clientId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * The rule for a call of an action that is declared `destructive`, or costs more than `askAbove`: `'ask'` asks the author of the message, in the
   * chat; a function decides; `'never'` runs it. Default: `'ask'`.
   */
  approve?: 'ask' | 'never' | ApproveCall | undefined;
  /**
   * Calls of actions with a higher price than this amount, such as `0.50`, need approval too. Default: approval does not depend on the
   * price.
   */
  askAbove?: string | undefined;
  /** Users who may answer the questions of all people, each as `<client id>/<user id>`. Default: only the author of the message may answer. */
  owners?: readonly string[] | undefined;
  /** Brings questions of the service to chats of approvers. */
  approvals?: ApproverChatsOption | undefined;
  /** True shows a long answer while the model writes it, on platforms with editable messages. Default: false. */
  edit?: boolean | undefined;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Messages of the model in one turn, 1 to 100. Default: 20. */
  maxSteps?: number | undefined;
  /** Calls in one message of the model, 1 to 1,000. Further calls are answered with an error. Default: 32. */
  maxCallsPerStep?: number | undefined;
  /** Milliseconds that a turn may take, not counting waits for a person. Default: 300,000. */
  turnTimeoutMs?: number | undefined;
  /** Tokens of earlier turns that the model reads, estimated from their JSON. Default: 24,000. */
  historyTokens?: number | undefined;
  /** Concurrent turns. Default: 16. */
  maxConcurrentTurns?: number | undefined;
  /** Days that finished turns are kept. Default: 30. */
  retentionDays?: number | undefined;
}

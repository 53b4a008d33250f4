/** The objects that all turns of an agent share. */
import type { AgentEvent } from '../events';
import type { AskModel } from '../model/ask-model';
import type { ApproveCall } from '../options';
import type { AgentStore } from '../store/agent-store';
import type { ConversationTools } from './conversation-tools';
import type { FairSlots } from './fair-slots';

export interface TurnSetup {
  store: AgentStore;
  ask: AskModel;
  /** Limits the concurrent tool calls of all turns. */
  toolSlots: FairSlots;
  tools: ConversationTools;
  prompt(name: string, clientId: string, chatId: string): string;
  model(name: string): string;
  emit(event: AgentEvent): void;
  limits: TurnLimits;
}

interface TurnLimits {
  approve: 'ask' | 'never' | ApproveCall;
  owners: ReadonlySet<string>;
  edit: boolean;
  maxSteps: number;
  maxCallsPerStep: number;
  turnTimeoutMs: number;
  historyTokens: number;
}

/** The parts of a conversation: its items in the chat, its steps in the trace, and the sums. */
import type { RequiredConnection } from '#sdk/protocol/connections';
import type { ContentBlock } from '#sdk/protocol/content';
import type { Progress } from '#sdk/protocol/http';

export type ChatItem = UserItem | ModelItem | ToolItem;

interface UserItem {
  kind: 'user';
  id: string;
  text: string;
  /** `data:` addresses. */
  images: readonly string[];
}

interface ModelItem {
  kind: 'model';
  id: string;
  text: string;
}

export interface ToolItem {
  kind: 'tool';
  id: string;
  /** Name of the tool, such as `invoke_service`. */
  name: string;
  /** JSON as the model wrote it, perhaps invalid. */
  input: string;
  state: 'running' | 'done' | 'failed';
  progress?: Progress | undefined;
  /** The text that the model reads. */
  answer?: string | undefined;
  blocks?: readonly ContentBlock[] | undefined;
  question?: OpenQuestion | undefined;
}

/** A question to the person in front of the page. */
export type OpenQuestion =
  | { kind: 'approval'; id: string; action: string | undefined; payload: unknown; decide: (decision: 'approve' | 'deny') => Promise<void> }
  | { kind: 'connect'; required: RequiredConnection & { url: string }; connected: (isConnected: boolean) => void };

export type TraceStep = { id: string; ms: number } & (
  | { kind: 'model'; model: string; tokens: { input: number; cached: number; output: number } | undefined; calls: number }
  | { kind: 'search'; query: string; shown: readonly string[]; code: string }
  | { kind: 'call'; action: string; code: string; callId: string | undefined; cost: Cost | undefined }
  | { kind: 'run'; code: string; run: string | undefined; calls: number | undefined; cost: Cost | undefined }
);

export interface Cost {
  amount: string;
  currency: string;
}

export interface Totals {
  input: number;
  cached: number;
  output: number;
  ms: number;
  searches: number;
  calls: number;
  /** Millionths of the currency. */
  cost: bigint;
}

export const NO_TOTALS: Totals = { input: 0, cached: 0, output: 0, ms: 0, searches: 0, calls: 0, cost: 0n };

export function withStep(totals: Totals, step: TraceStep, cost: bigint): Totals {
  const tokens = step.kind === 'model' ? step.tokens : undefined;
  return {
    input: totals.input + (tokens?.input ?? 0),
    cached: totals.cached + (tokens?.cached ?? 0),
    output: totals.output + (tokens?.output ?? 0),
    ms: totals.ms + step.ms,
    searches: totals.searches + Number(step.kind === 'search'),
    calls: totals.calls + (step.kind === 'call' ? 1 : step.kind === 'run' ? (step.calls ?? 0) : 0),
    cost: totals.cost + cost,
  };
}

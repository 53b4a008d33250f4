/**
 * The task of a LangGraph graph that a tool runs in: the calls that it answers, and its earlier question to a human.
 *
 * Source: the fields that LangGraph's own `interrupt()` and `ToolNode` read, the same from 0.4 to 1.7. Its public API does not have them.
 */
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { membersOf } from './members-of';

export interface Call {
  id?: string | undefined;
  name: string;
  args: unknown;
}

export interface GraphTask {
  /** UUID, the same in every run of the task. */
  id: string;
  /** One object per run of a task, shared by all calls of that run. */
  run: object;
  /** The calls that this task answers together; empty when it has one call, or when they are unknown. */
  calls: Call[];
  /** The question of this task, once it is answered. */
  answered(): Promise<Asked>;
}

interface Asked {
  value: unknown;
  /** There were several interrupts and the answer names none: LangGraph then gives it to all of them. */
  isAmbiguous: boolean;
}

interface Configurable {
  /** The checkpoint of this graph and of every graph around it, by namespace. */
  checkpoint_map?: Record<string, string>;
  __pregel_resuming?: boolean;
  __pregel_task_id?: string;
  __pregel_checkpointer?: { getTuple(config: object): Promise<{ pendingWrites?: PendingWrite[] } | undefined> };
  __pregel_scratchpad?: { nullResume?: unknown; currentTaskInput: unknown };
}

/** LangGraph keeps the last interrupt of a task: until 1.4 as one object, in 1.7 as a list. */
type PendingWrite = [taskId: string, channel: string, value: Interrupt | Interrupt[]];

interface Interrupt {
  value?: unknown;
}

/** Undefined where a human cannot be asked: outside of a graph, or in one without a checkpointer. */
export function graphTask({ configurable }: ToolRunnableConfig): GraphTask | undefined {
  const {
    checkpoint_map = {},
    __pregel_resuming: isResuming,
    __pregel_task_id: id = '',
    __pregel_checkpointer: saver,
    __pregel_scratchpad: run,
  } = (configurable ?? {}) as Configurable;
  if (!saver || !run) return undefined;
  return {
    id,
    run,
    calls: callsOf(run.currentTaskInput),
    async answered() {
      const levels = await Promise.all(
        Object.entries(isResuming ? checkpoint_map : {}).map(async ([checkpoint_ns, checkpoint_id]) => {
          const saved = await saver.getTuple({ configurable: { ...configurable, checkpoint_ns, checkpoint_id } });
          return saved?.pendingWrites?.filter(([, channel]) => channel === '__interrupt__') ?? [];
        }),
      );
      return {
        value: [levels.flat().find(([taskId]) => taskId === id)?.[2]].flat()[0]?.value,
        isAmbiguous: run.nullResume !== undefined && levels.some(({ length }) => length > 1),
      };
    },
  };
}

/** A task has one call, or all calls of the last message that have no answer yet. */
function callsOf(input: unknown): Call[] {
  const { lg_tool_call, messages = input } = membersOf(input);
  if (lg_tool_call || !Array.isArray(messages)) return [];
  const calls: Call[] = messages.findLast(({ tool_calls }) => tool_calls?.length > 0)?.tool_calls ?? [];
  return calls.filter(({ id }) => !messages.some(({ tool_call_id }) => tool_call_id === id));
}

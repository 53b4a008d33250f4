/** A tool of VoltAgent, which runs it as a tool of the AI SDK 6. */
import { jsonSchema, type ModelMessage } from 'ai';
import { SvcError } from 'svc-sdk';
import { type AgentTool, splitMedia, withReports } from 'svc-sdk/agent-tool';
import { hasApproval, hasTwin } from '../approval/ai';

/** The part of VoltAgent's options of a call that the tool reads. */
interface CallOptions {
  toolContext?: { callId: string; messages: unknown[]; abortSignal?: AbortSignal | undefined };
}

/** A `Tool` of `@voltagent/core`, which knows its own by `type`. */
export interface VoltAgentTool {
  readonly type: 'user-defined';
  readonly id: string;
  readonly name: string;
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: VoltAgent has only zod schemas in its types, and hands any schema of the AI SDK on
  readonly parameters: any;
  readonly needsApproval: (input: unknown, options: { toolCallId: string; messages: unknown[] }) => Promise<boolean>;
  readonly toModelOutput?: (given: { output: unknown }) => ReturnType<typeof toContent>;
  readonly isClientSide: () => boolean;
  /** JSON of any shape; before it `{progress}`, and `{payment}` of a paid action, as preliminary outputs. */
  readonly execute: (input: unknown, options?: CallOptions) => AsyncIterable<unknown>;
}

export function toVoltAgentTool(tool: AgentTool): VoltAgentTool {
  const { name, description, parameters, images } = tool;
  return {
    type: 'user-defined',
    id: name,
    name,
    description,
    parameters: jsonSchema(parameters),
    needsApproval: async (input, { toolCallId, messages }) =>
      hasApproval(toolCallId, messages as ModelMessage[]) || tool.needsApproval(input),
    ...(images && { toModelOutput: toContent }),
    isClientSide: () => false,
    execute: async function* (input, { toolContext } = {}) {
      const { callId: toolCallId = '', abortSignal: signal } = toolContext ?? {};
      const messages = (toolContext?.messages ?? []) as ModelMessage[];
      try {
        yield yield* withReports((reporting) => {
          const options = { signal, toolCallId: toolCallId || undefined, ...reporting };
          if (hasTwin(toolCallId, messages)) return tool.callUnapproved(input, options);
          return tool.call(input, { ...options, approved: hasApproval(toolCallId, messages) });
        });
      } catch (error) {
        // VoltAgent would show the model the stack of a thrown error.
        if (!SvcError.is(error)) throw error;
        yield JSON.parse(error.message);
      }
    },
  };
}

function toContent({ output }: { output: unknown }) {
  const { value, media } = splitMedia(output);
  if (media.length === 0) return { type: 'json' as const, value: value ?? null };
  const parts = media.map(({ mediaType, data }) => ({ type: 'media' as const, mediaType, data }));
  return { type: 'content' as const, value: [{ type: 'text' as const, text: JSON.stringify(value) }, ...parts] };
}

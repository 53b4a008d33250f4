import { jsonSchema, type Tool, tool } from 'ai';
import { svcTools } from 'svc-sdk/ai';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, nextCallId, RESULT } from '../model-call.ts';

export const ai: AdapterCase = {
  name: 'ai',
  framework: 'ai',
  prepare(tools) {
    const options = () => ({ toolCallId: nextCallId(), messages: [], abortSignal: new AbortController().signal, context: {} });
    const execute = svcTools({ tools }).invoke_service.execute as NonNullable<Tool['execute']>;
    const empty = tool({ inputSchema: jsonSchema<typeof INPUT>({ type: 'object' }), execute: async () => RESULT });
    return {
      async withAdapter() {
        let last: unknown;
        // Like the AI SDK for a tool with streamed results.
        for await (const output of execute(INPUT, options()) as AsyncIterable<unknown>) last = output;
        return last;
      },
      empty: async () => empty.execute(INPUT, options()),
    };
  },
};

/** One call of `invoke_service` through each framework's own tool, and one of an empty tool of the same framework. */
import { jsonSchema, type Tool, tool } from 'ai';
import type { Tools } from 'svc-sdk';
import { svcTools as aiTools } from 'svc-sdk/ai';

type Call = () => Promise<unknown>;

export interface AdapterCase {
  entry: string;
  /** What a program that uses the adapter imports anyway; undefined when it need not be there. */
  framework: string | undefined;
  prepare(tools: Tools): Promise<{ withAdapter: Call; empty: Call }>;
}

const INPUT = { action: 'bench__echo', payload: { text: 'hello' } };
const RESULT = { text: 'hello' };

let calls = 0;
const nextCallId = () => `call_9fKq2LmZ7xTbQw3RtYuI${++calls}`;

export const CASES: AdapterCase[] = [
  {
    entry: 'ai',
    framework: 'ai',
    async prepare(tools) {
      const options = () => ({ toolCallId: nextCallId(), messages: [], context: {} });
      const execute = aiTools({ tools }).invoke_service.execute as NonNullable<Tool['execute']>;
      const empty = tool({ inputSchema: jsonSchema<typeof INPUT>({ type: 'object' }), execute: async () => RESULT });
      return {
        withAdapter: async () => {
          // As the AI SDK runs a tool that gives its results bit by bit.
          for await (const _ of execute(INPUT, options()) as AsyncIterable<unknown>);
        },
        empty: async () => empty.execute(INPUT, options()),
      };
    },
  },
];

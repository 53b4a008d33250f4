/** The parts of the client that adapters call, without an adapter. */
import type { CallCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT } from '../model-call.ts';

const empty = async () => RESULT;

export const clientCalls: CallCase[] = [
  { name: 'no adapter: tools.answerTool', prepare: (tools) => ({ withAdapter: () => tools.answerTool(NAME, INPUT), empty }) },
  {
    name: 'no adapter: the same with a call id',
    prepare: (tools) => ({ withAdapter: () => tools.answerTool(NAME, INPUT, { toolCallId: nextCallId() }), empty }),
  },
  {
    name: 'no adapter: tools.resolve, then tools.invoke',
    prepare: (tools) => ({
      async withAdapter() {
        const { action, payload } = await tools.resolve(NAME, INPUT);
        return tools.invoke(action.action, payload);
      },
      empty,
    }),
  },
];

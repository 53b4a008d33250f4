/** The third tool, for `Tools({ code: true })`: a program that makes many calls in one turn of the model. At most 150 tokens, like the two others frozen. */
import { deepFreeze } from './deep-freeze';
import type { ToolDefinition } from './definitions';

export const RUN_CODE_TOOL = 'run_code';

export const RUN_CODE_DEFINITION: ToolDefinition = deepFreeze({
  name: RUN_CODE_TOOL,
  description:
    'Run a JavaScript program that calls actions: for many calls, loops, joins and large results. Find the actions with search_services first. ' +
    '`await tools.<toolkit>.<action>(payload)` gives {ok: true, data} or {ok: false, error}. Use Promise.all; `return` ' +
    'only what you need. No network, files, timers or imports. How-to: tools.describe("run_code").',
  parameters: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'Body of an async function' },
      run: { type: 'string', description: 'Instead of code: `run` of an unfinished answer' },
    },
  },
});

/**
 * An MCP server on stdio whose tool `research` runs as a task of revision 2025-11-25. Its payload says what the task does: `says` are its status
 * messages, `progress` its reports, and it ends with `end`: `done`, `failed`, `cancelled`, `asks` (for input) or `never`.
 */
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** Reports each look at a task. */
class WatchedStore extends InMemoryTaskStore {
  async getTask(taskId) {
    const task = await super.getTask(taskId);
    setImmediate(onLook);
    return task;
  }
}

const taskStore = new WatchedStore();
const server = new McpServer(
  { name: 'tasks', version: '1' },
  {
    capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
    taskStore,
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  },
);
const inputSchema = { end: z.string(), says: z.array(z.string()).default([]), progress: z.number().default(0) };
const text = (said) => ({ content: [{ type: 'text', text: said }] });
let last;
let onLook = () => {};

async function run(taskId, { end, says, progress }, { sendNotification, sendRequest, _meta }) {
  for (const said of says) {
    await taskStore.updateTaskStatus(taskId, 'working', said);
    await new Promise((resolve) => {
      onLook = resolve;
    });
  }
  const { progressToken } = _meta ?? {};
  for (let step = 1; step <= progress; step++)
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: step, total: progress } });
  if (end === 'done') await taskStore.storeTaskResult(taskId, 'completed', { ...text('found'), structuredContent: { found: 3 } });
  if (end === 'failed') await taskStore.storeTaskResult(taskId, 'failed', { ...text('No such topic'), isError: true });
  if (end === 'cancelled') await taskStore.updateTaskStatus(taskId, 'cancelled', 'stopped for the night');
  if (end === 'asks') {
    await taskStore.updateTaskStatus(taskId, 'input_required');
    const question = { message: 'Which one?', requestedSchema: { type: 'object', properties: {} } };
    const answer = await sendRequest({ method: 'elicitation/create', params: question }, ElicitResultSchema, {
      relatedTask: { taskId },
    }).catch((error) => error.message);
    await taskStore.storeTaskResult(taskId, 'completed', text(`refused: ${answer}`));
  }
}

const details = { description: 'Looks things up', inputSchema, execution: { taskSupport: 'required' } };
server.experimental.tasks.registerToolTask('research', details, {
  async createTask(payload, extra) {
    const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 20 });
    last = task.taskId;
    void run(task.taskId, payload, extra);
    return { task };
  },
  getTask: (_payload, { taskId, taskStore: store }) => store.getTask(taskId),
  getTaskResult: (_payload, { taskId, taskStore: store }) => store.getTaskResult(taskId),
});
server.registerTool('last', { description: 'The last task', inputSchema: {} }, async () =>
  text(JSON.stringify(await taskStore.getTask(last))),
);
await server.connect(new StdioServerTransport());

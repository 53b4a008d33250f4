/**
 * An MCP server on stdio with the tools and answers of its argument, which counts its calls.
 *
 * Shape: `{ info, instructions, tools, resources, templates, contents, answers, notes }`; `contents` by URI, `answers` and the notifications before
 *        them by the name of the tool. A tool without an answer answers with the number of calls.
 */
import { createInterface } from 'node:readline';

const script = JSON.parse(process.argv[2]);
const { info = { name: 'scripted', version: '1' }, instructions, tools = [], resources, templates = [], contents = {} } = script;
let calls = 0;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answer({ method, params = {} }) {
  switch (method) {
    case 'initialize': {
      const capabilities = { tools: {}, ...(resources && { resources: {} }), logging: {} };
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo: info, ...(instructions && { instructions }) };
    }
    case 'tools/list':
      return script.pages ? { tools: [{ name: `tool_${calls++}`, inputSchema: { type: 'object' } }], nextCursor: script.pages } : { tools };
    case 'resources/list':
      return params.cursor
        ? { resources: resources.slice(1) }
        : { resources: resources.slice(0, 1), ...(resources[1] && { nextCursor: '1' }) };
    case 'resources/templates/list':
      return { resourceTemplates: templates };
    case 'resources/read':
      return contents[params.uri] && { contents: contents[params.uri] };
    case 'tools/call':
      for (const note of script.notes?.[params.name] ?? []) send(note);
      return script.answers?.[params.name] ?? { content: [{ type: 'text', text: String(++calls) }] };
    default:
      return {};
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const result = answer(message);
  send({ id: message.id, ...(result ? { result } : { error: { code: -32002, message: 'Resource not found' } }) });
});

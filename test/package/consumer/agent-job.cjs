/** Usage: node agent-job.cjs import|require. An agent answers a message with a call, and takes commands; prints the replies as JSON. */
const [how] = process.argv.slice(2);
const load = (name) => (how === 'import' ? import(name) : Promise.resolve(require(name)));

async function main() {
  const { Toolkit } = await load('svc-sdk');
  const { createService } = await load('svc-service');
  const { Agent, BaseClient, replyText } = await load('svc-sdk/agent');

  const service = await createService({ port: 0 });
  const keyOf = async (kind) => (await service.keys.create({ kind, name: 'greeter' })).key;
  const toolkit = new Toolkit({ apiKey: await keyOf('toolkit'), baseUrl: service.url });
  toolkit.action(
    { action: 'greet', actionDescription: 'Greets', payloadDescription: { name: { type: 'string' } } },
    (_ctx, { name }) => `Hello, ${name}!`,
  );
  const running = toolkit.run();
  await toolkit.ready;

  const said = ['Ada', '/new', '/stop'];
  const replies = [];
  class ListClient extends BaseClient {
    clientId = 'list';
    async start() {}
    async stop() {}
    async receiveMessage() {
      const next = this.cursor ?? 0;
      // A command would end the turn before it.
      if (next >= said.length || replies.length < next) return null;
      this.cursor = next + 1;
      return { chatId: 'chat', userId: 'ann', messageId: `m${next}`, message: said[next] };
    }
    async sendMessage(_ctx, replyMessages) {
      replies.push(replyText(replyMessages));
      if (replies.length === said.length) setTimeout(() => agent.stop(), 0);
    }
  }
  const model = async ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { role: 'assistant', content: last.content };
    const called = { name: 'invoke_service', arguments: JSON.stringify({ action: 'greeter__greet', payload: { name: last.content } }) };
    return { role: 'assistant', content: null, tool_calls: [{ id: 'call_0', type: 'function', function: called }] };
  };
  const agent = new Agent({ apiKey: await keyOf('agent'), baseUrl: service.url, store: ':memory:', model, clients: [new ListClient()] });
  await agent.run();

  await toolkit.stop();
  await running;
  await service.close();
  console.log(JSON.stringify(replies));
}

main();

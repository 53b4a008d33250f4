/** The main job by the public names alone, with the data on disk; the argument tells how the package is loaded: `import` or `require`. */
const load = process.argv[2] === 'require' ? require : (name) => import(name);

async function main() {
  const { Toolkit, Tools } = await load('svc-sdk');
  const { createService } = await load('svc-service');
  const service = await createService({ port: 0, data: process.argv[3] ?? `data-${process.argv[2]}` });
  const toolkitKey = await service.keys.create({ kind: 'toolkit', name: 'greeter' });
  const agentKey = await service.keys.create({ kind: 'agent', name: 'agent' });

  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: toolkitKey.key });
  const payloadDescription = { name: { type: 'string', pattern: '^[A-Z]', required: true } };
  toolkit.action({ action: 'greet', actionDescription: 'Greets a person by name', payloadDescription }, (ctx, { name }) =>
    ctx.result(`Hello, ${name}!`),
  );
  const running = toolkit.run();
  await toolkit.ready;

  const tools = new Tools({ baseUrl: service.url, apiKey: agentKey.key });
  const { actions } = await tools.search('greet somebody');
  const { result } = await tools.invoke(actions[0].action, { name: 'Ada' });
  const refused = await tools.invoke(actions[0].action, { name: 'ada' }).catch((error) => error.code);

  await toolkit.stop();
  await running;
  await service.close();
  console.log(JSON.stringify({ result, refused }));
}

main();

/**
 * Calls that take longer than a model or a request waits: a handle now, the result later. Service, toolkit and app run in this process.
 *
 *   node examples/long-calls.ts
 */
import { once } from 'node:events';
import { Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';

const service = await createService({ port: 0 });
const [toolkitKey, agentKey] = await Promise.all([
  service.keys.create({ kind: 'toolkit', name: 'video' }),
  service.keys.create({ kind: 'agent', name: 'app' }),
]);

/** Ends the work that the example waits for. */
const work = Promise.withResolvers<void>();
const toolkit = new Toolkit({ apiKey: toolkitKey.key, baseUrl: service.url });
toolkit.action(
  {
    action: 'render',
    actionDescription: 'Renders a film from its scenes; takes hours',
    payloadDescription: { film: { type: 'string', required: true } },
    long: true,
  },
  async (ctx, { film }) => {
    ctx.progress({ progress: 1, total: 2, message: 'half of the scenes' });
    await Promise.race([work.promise, once(ctx.signal, 'abort')]);
    return ctx.signal.aborted ? ctx.error('STOPPED', `${film} was stopped`) : { film, minutes: 90 };
  },
);
const running = toolkit.run();
await toolkit.ready;

const app = new Tools({ apiKey: agentKey.key, baseUrl: service.url, timeoutMs: 1_000 });

// A model's call has a second here. Then the model reads the handle, and how to read the result.
const { unfinished, content } = await app.answerTool('invoke_service', { action: 'video__render', payload: { film: 'Metropolis' } });
console.log(`The model reads: ${JSON.parse(content).status}`);

// A program takes the handle at once, and can cancel the call.
const { invocationId } = await app.invoke('video__render', { film: 'Nosferatu' }, { wait: false });
await app.cancel(invocationId);
console.log(`The program reads: ${await app.result(invocationId, { wait: 30 }).catch(({ code }) => code)}`);

work.resolve();
const payload = { handle: unfinished?.invocationId, wait: 30 };
const later = await app.answerTool('invoke_service', { action: 'svc__read_result', payload });
console.log(`The model reads: ${later.content}`);

await toolkit.stop();
await running;
await service.close();

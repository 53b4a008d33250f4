/** Compiles, as ES module and as CommonJS, against the declarations that are in the package. */
import { SvcError, Toolkit, Tools } from 'svc-sdk';
import { createService, type Service } from 'svc-service';

export async function everyPart(): Promise<string> {
  const service: Service = await createService({ port: 0 });
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent', allow: { toolkits: ['greeter'], actions: [] } });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key });
  toolkit.action({ action: 'greet', actionDescription: 'Greets a person' }, async (ctx) => ctx.result({ by: ctx.agentId }));
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  try {
    await tools.callTools([{ id: 'call_1', type: 'function', function: { name: 'search_services', arguments: '{}' } }]);
    return (await tools.search('greet')).actions[0]?.action ?? 'nothing';
  } catch (error) {
    return SvcError.is(error) ? error.code : 'unknown';
  }
}

// @ts-expect-error an agent key has a kind
export const wrong = async (service: Service) => service.keys.create({ name: 'agent' });

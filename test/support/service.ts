/** A real service on a free port, with helpers for tests; everything is closed when the test ends. */

import { Toolkit, Tools, type ToolsOptions } from 'svc-sdk';
import { type CreateKeyRequest, createService, type Service, type ServiceOptions } from 'svc-service';
import { onTestFinished } from 'vitest';

export interface TestService extends Service {
  /** A client with a new agent key. */
  tools(options?: ToolsOptions, key?: Partial<CreateKeyRequest>): Promise<Tools>;
  /** A running toolkit with a new key; `define` adds its actions. */
  toolkit(name: string, define: (toolkit: Toolkit) => void): Promise<Toolkit>;
  /** A bare request with a new agent key. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  return withClients(await createService({ port: 0, ...options }));
}

/** Closed when the test ends. */
export function withClients(service: Service): TestService {
  onTestFinished(() => service.close());
  const agentKey = async (request: Partial<CreateKeyRequest> = {}) =>
    (await service.keys.create({ kind: 'agent', name: 'test', ...request })).key;
  return {
    ...service,
    tools: async (toolsOptions = {}, key = {}) => new Tools({ baseUrl: service.url, apiKey: await agentKey(key), ...toolsOptions }),
    toolkit: async (name, define) => {
      const { key } = await service.keys.create({ kind: 'toolkit', name });
      return runToolkit(service.url, key, define);
    },
    request: async (path, init = {}) => {
      const headers = { authorization: `Bearer ${await agentKey()}`, 'content-type': 'application/json', ...init.headers };
      return fetch(service.url + path, { ...init, headers });
    },
  };
}

/** A Toolkit that is registered when this resolves, and stopped when the test ends. */
export async function runToolkit(baseUrl: string, apiKey: string, define: (toolkit: Toolkit) => void): Promise<Toolkit> {
  const toolkit = new Toolkit({ baseUrl, apiKey });
  define(toolkit);
  const running = toolkit.run();
  // A test that expects `run()` to fail checks the rejection.
  running.catch(() => {});
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  return toolkit;
}

/** One chat-completions tool call, as a model would write it. */
export function toolCall(name: string, args: unknown, id = `call_${crypto.randomUUID().replaceAll('-', '')}`) {
  return { id, type: 'function' as const, function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } };
}

/**
 * The one place that knows `Toolkit`. It is loaded from the build and not from the sources, because the build is what people run; and by its
 * path, so that the floor can be measured where nothing is built.
 */
import { pathToFileURL } from 'node:url';
import { builtFile } from './built-file.ts';

interface Sdk {
  /** Takes service and key from the environment. */
  Toolkit: new (options: {
    concurrency: number;
  }) => {
    /** Settles once the actions are registered. */
    ready: Promise<unknown>;
    action(description: { action: string; actionDescription: string }, handler: (ctx: unknown, payload: unknown) => Promise<unknown>): void;
    /** Settles when the toolkit stops. */
    run(): Promise<unknown>;
  };
}

/** More than any bench has in flight, so that the service never queues. */
const CONCURRENCY = 1_000;

/** Serves one action until the process ends; prints `ready` when it is registered. */
export async function serveAction(name: string, handler: (payload: unknown) => Promise<unknown>): Promise<void> {
  const { Toolkit } = (await import(pathToFileURL(builtFile('index.js')).href)) as Sdk;
  const toolkit = new Toolkit({ concurrency: CONCURRENCY });
  toolkit.action({ action: name, actionDescription: 'Serves the bench' }, (_ctx, payload) => handler(payload));
  const running = toolkit.run();
  // When the key is refused only `run` says so.
  await Promise.race([toolkit.ready, running]);
  console.log('ready');
  await running;
}

export function toolkitEnvironment(baseUrl: string, apiKey: string): Record<string, string> {
  return { SVC_BASE_URL: baseUrl, SVC_TOOLKIT_API_KEY: apiKey };
}

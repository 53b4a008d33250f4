/**
 * The one place that knows `Toolkit`. It is loaded from the build and not from the sources, because the build is what people run; and by its
 * path, so that the floor can be measured where nothing is built.
 */
interface Sdk {
  Toolkit: new (options: {
    apiKey: string;
    baseUrl: string;
    concurrency: number;
  }) => {
    action(description: { action: string; actionDescription: string }, handler: Handler): void;
    run(): Promise<unknown>;
  };
}

type Handler = (payload: unknown) => Promise<unknown>;

/** More than any bench has in flight, so that the service never queues. */
const CONCURRENCY = 1_000;

/** Registers one action and serves it until the process ends. */
export async function serveAction(name: string, handler: Handler): Promise<void> {
  const { baseUrl, apiKey } = readEnvironment();
  const { Toolkit } = (await import(new URL('../../dist/index.js', import.meta.url).href)) as Sdk;
  const toolkit = new Toolkit({ apiKey, baseUrl, concurrency: CONCURRENCY });
  toolkit.action({ action: name, actionDescription: 'Serves the bench' }, handler);
  await toolkit.run();
  console.log('ready');
}

/** How the bench tells its toolkit processes where to go. */
export function environmentFor(baseUrl: string, apiKey: string): Record<string, string> {
  return { BENCH_BASE_URL: baseUrl, BENCH_TOOLKIT_KEY: apiKey };
}

function readEnvironment(): { baseUrl: string; apiKey: string } {
  const { BENCH_BASE_URL: baseUrl, BENCH_TOOLKIT_KEY: apiKey } = process.env;
  if (!baseUrl || !apiKey) throw new Error('BENCH_BASE_URL and BENCH_TOOLKIT_KEY are not set: the bench starts this process');
  return { baseUrl, apiKey };
}

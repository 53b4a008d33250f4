/**
 * The one place that loads the SDK. It comes from the build and not from the sources, because the build is what people run; and by its
 * path, so that the floor can be measured where nothing is built.
 */
import { pathToFileURL } from 'node:url';
import type { Toolkit } from '../../src/index.ts';
import { builtFile } from './built-file.ts';

/** More than any bench has in flight, so that the service never queues. */
const CONCURRENCY = 1_000;

export async function loadSdk(): Promise<typeof import('../../src/index.ts')> {
  return import(pathToFileURL(builtFile('dist/index.js')).href);
}

/**
 * Serves what `define` adds until SIGTERM; prints `ready` when all connections are registered. Takes service and key from the environment.
 */
export async function serveToolkit(define: (toolkit: Toolkit) => void, connections = 1): Promise<void> {
  const { Toolkit } = await loadSdk();
  const toolkits = Array.from({ length: connections }, () => new Toolkit({ concurrency: CONCURRENCY }));
  for (const toolkit of toolkits) define(toolkit);
  process.once('SIGTERM', () => {
    for (const toolkit of toolkits) void toolkit.stop();
  });
  const running = Promise.all(toolkits.map((toolkit) => toolkit.run()));
  // Only `run` reports a rejected key.
  await Promise.race([Promise.all(toolkits.map((toolkit) => toolkit.ready)), running]);
  console.log('ready');
  await running;
}

export function toolkitEnvironment(baseUrl: string, apiKey: string): Record<string, string> {
  return { SVC_BASE_URL: baseUrl, SVC_TOOLKIT_API_KEY: apiKey };
}

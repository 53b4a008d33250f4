import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../../../test/support/listening';
import { patientFetch } from '../../../import/patient-fetch';

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

test('a request has no limit for silence, and goes through the dispatcher that the process has set', async () => {
  const url = await listening(createServer((_, response) => response.end('soon')));
  await (await patientFetch(url)).text();

  const symbols = globalThis as unknown as Record<symbol, Dispatcher>;
  const name = Symbol.for('undici.globalDispatcher.1');
  const platform = symbols[name]!;
  onTestFinished(() => {
    symbols[name] = platform;
  });
  const seen: object[] = [];
  symbols[name] = {
    dispatch: (options, handler) => {
      seen.push(options);
      return platform.dispatch(options, handler);
    },
  };
  expect(await (await patientFetch(url)).text()).toBe('soon');
  expect(seen).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
});

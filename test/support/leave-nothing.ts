/** Files of tests that share a process leave nothing to each other: no spy, no fake clock, no changed environment, no other class. */
import { afterAll, vi } from 'vitest';

// The server of Hono replaces both for its process.
const { Request, Response } = globalThis;

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  Object.assign(globalThis, { Request, Response });
});

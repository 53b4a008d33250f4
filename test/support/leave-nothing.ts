/** Files of tests that share a process leave nothing to each other: no module, no spy, no fake clock, no changed environment. */
import { afterAll, vi } from 'vitest';

vi.resetModules();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** `vi.waitFor` gives up after a second unless told: too soon for a busy machine, and no condition that we wait for is about how soon it comes. */
import { vi } from 'vitest';

const TIMEOUT_MS = 10_000;
const { waitFor } = vi;

vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: TIMEOUT_MS, ...(typeof options === 'number' ? { timeout: options } : options) });

/** `vi.waitFor` times out after a second by default: too soon for a busy machine, and no awaited condition is about time. */
import { vi } from 'vitest';

const TIMEOUT_MS = 60_000;
const { waitFor } = vi;

const patientWaitFor: typeof waitFor = (callback, options) =>
  waitFor(callback, { timeout: TIMEOUT_MS, ...(typeof options === 'number' ? { timeout: options } : options) });

// Files that share a process each load this file.
if (waitFor.name !== patientWaitFor.name) vi.waitFor = patientWaitFor;

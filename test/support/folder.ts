import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, and how to remove it. */
export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-sdk-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

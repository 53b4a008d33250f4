/**
 * The keys that `svc-service dev` keeps in a project's folder.
 *
 * Shape: `<folder>/keys.json`, readable by its owner alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from 'svc-sdk';

export interface KeptKey {
  id: string;
  key: string;
}

/** A file of a former version has no `admin` and no `url`. */
export interface KeptKeys {
  /** Address of the service at its latest start. */
  url?: string;
  toolkit: KeptKey;
  agent: KeptKey;
  admin?: KeptKey;
}

export const DEV_FOLDER = '.svc';

/** Undefined where `svc-service dev` has not run. Throws INVALID_REQUEST for a file that is not JSON. */
export function readKeptKeys(folder: string): KeptKeys | undefined {
  const path = join(folder, 'keys.json');
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SvcError(
      'INVALID_REQUEST',
      `${path} cannot be read: ${(error as Error).message}; remove it to get new keys`,
      {},
      { cause: error },
    );
  }
}

/**
 * Serves all toolkits of a `toolkits.yaml` independently: a failed one is offline and retried, and the others continue. Changes of the files are
 * applied at once.
 *
 * Errors: INVALID_REQUEST for files that are invalid at the start.
 */
import { SvcError } from 'svc-sdk';
import type { ImportEvent } from './import-event';
import { RunningFolder, type RunningImports } from './running-folder';
import type { Env } from './toolkits-file';
import { openToolkitsFolder } from './toolkits-folder';

export interface ImportToolkitsOptions {
  /** Path of `toolkits.yaml`. The file may be missing, its folder may not. */
  file: string;
  /** Address of the service. Default: SVC_BASE_URL, then `http://127.0.0.1:8787`. */
  baseUrl?: string | undefined;
  /** The toolkit key of each id. */
  keyOf(id: string): Promise<string>;
  /** Variables for `${NAME}`. Default: the environment of this process. */
  env?: Env | undefined;
  onEvent?: ((event: ImportEvent) => void) | undefined;
}

export async function importToolkits({
  file,
  baseUrl,
  keyOf,
  env = process.env,
  onEvent = () => {},
}: ImportToolkitsOptions): Promise<RunningImports> {
  const folder = await openToolkitsFolder(file);
  try {
    return new RunningFolder(folder, { baseUrl, keyOf, env, onEvent });
  } catch (error) {
    throw new SvcError(
      'INVALID_REQUEST',
      `The folder of ${folder.file} cannot be watched: ${(error as Error).message}`,
      {},
      { cause: error },
    );
  }
}

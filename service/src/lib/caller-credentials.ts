/** The credentials that a caller sends with a call, by toolkit. Printed, they are `[connections]`. */
import { inspect } from 'node:util';
import { type Credential, readChoices, readCredentials } from '#sdk/protocol/connections';
import { SvcError } from '#sdk/protocol/errors';

const SHOWN = '[connections]';

export class CallerCredentials {
  readonly #byToolkit: ReadonlyMap<string, Credential>;

  private constructor(byToolkit: ReadonlyMap<string, Credential>) {
    this.#byToolkit = byToolkit;
  }

  /** @throws SvcError INVALID_REQUEST, without the header */
  static read(header: string | undefined): CallerCredentials | undefined {
    if (header === undefined) return undefined;
    const byToolkit = readCredentials(header);
    if (byToolkit) return new CallerCredentials(byToolkit);
    throw new SvcError(
      'INVALID_REQUEST',
      'Svc-Connections must be toolkit, scheme and credential, with commas between toolkits: github Bearer <token>, shop Basic <base64>, maps ApiKey <key>; visible ASCII, each toolkit once, at most 8192 characters',
    );
  }

  of(toolkitId: string): Credential | undefined {
    return this.#byToolkit.get(toolkitId);
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}

/**
 * The connections that a caller chooses: toolkit id -> name.
 *
 * @throws SvcError INVALID_REQUEST
 */
export function readConnectionNames(header: string | undefined): ReadonlyMap<string, string> | undefined {
  if (header === undefined) return undefined;
  const names = readChoices(header);
  if (names) return names;
  throw new SvcError(
    'INVALID_REQUEST',
    'Svc-Connection-Names must be toolkit and name, with commas between toolkits: github work, shop main; a name has 1 to 64 letters, digits, ".", "_", "@" or "-"',
  );
}

/**
 * Refuses literal secrets in an entry of `toolkits.yaml`.
 *
 * Errors: INVALID_REQUEST with the place of the secret. It never repeats the value.
 */
import { SvcError } from '#sdk/protocol/errors';
import { replaceLiteralSecrets } from '#sdk/protocol/literal-secrets';

export function refuseLiteralSecrets(entry: Readonly<Record<string, unknown>>): void {
  replaceLiteralSecrets(entry, ({ place }) => {
    throw new SvcError(
      'INVALID_REQUEST',
      `${place}: write \${NAME}, and set NAME in the environment of the process that serves toolkits.yaml. The file must not hold a secret`,
    );
  });
}

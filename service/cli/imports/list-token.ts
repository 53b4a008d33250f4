/** `--list-token`: the operator's token for the list of an MCP server whose calls have connections. It is written nowhere. */
import { UsageError } from '#sdk/cli/usage-error';
import { hasVariable, replaceVariables, variableNames } from '#sdk/protocol/environment-variables';
import { literalSecret } from './without-literal-secrets';

export function listTokenOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!hasVariable(text)) throw literalSecret('LIST_TOKEN');
  const unset = variableNames(text).filter((name) => !process.env[name]);
  if (unset.length > 0) throw new UsageError(`set ${unset.join(', ')} in the environment`);
  return replaceVariables(text, (name) => process.env[name] ?? '');
}

/** Texts of a source, such as lines of stderr, may quote a secret that the source was given. */
import { type Env, type ToolkitEntry, variablesOf } from './toolkits-file';

/** A shorter one would be found in every other word. */
const MIN_SECRET_CHARS = 6;

/** The text with `${NAME}` in place of the value of each variable of the entry. */
export function redactVariables(text: string, entry: ToolkitEntry, env: Env): string {
  return variablesOf(entry).reduce((shown, name) => {
    const value = env[name] ?? '';
    return value.length < MIN_SECRET_CHARS ? shown : shown.replaceAll(value, () => `\${${name}}`);
  }, text);
}

/** `${NAME}` in the texts of `toolkits.yaml`: a variable of the environment of the process that serves the file. */

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const SERVICE_VARIABLE = /^SVC_/i;

/** Names of the variables that the text names, each once. */
export function variableNames(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name))];
}

export function hasVariable(text: string): boolean {
  return text.search(VARIABLE) >= 0;
}

export function replaceVariables(text: string, read: (name: string) => string): string {
  return text.replace(VARIABLE, (_, name: string) => read(name));
}

/** Keys and addresses of the service: an imported toolkit gets none of them. */
export function isServiceVariable(name: string): boolean {
  return SERVICE_VARIABLE.test(name);
}

/** Variables of the process that serves a `toolkits.yaml`: those of `svc-service serve` without the secrets of the service. */
import { isServiceVariable, variableNames } from '#sdk/protocol/environment-variables';

/** Where a database is and its password: only when the file names them. */
const OF_DATABASE = /^PG|^(?:DATABASE|MYSQL|POSTGRES)(?:QL)?_|_DATABASE_URL$/i;

/** @param file the text of `toolkits.yaml` */
export function importerEnvironment(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const named = new Set(variableNames(file));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isServiceVariable(name) && (!OF_DATABASE.test(name) || named.has(name))),
  );
}

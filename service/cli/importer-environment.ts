/** The environment of the process that serves a `toolkits.yaml`: that of `svc-service serve` without the service's secrets. */
import { isServiceVariable, variableNames } from '#sdk/protocol/environment-variables';

/** The address and password of a database: passed on only if the file names them. */
const OF_DATABASE = /^PG|^(?:DATABASE|MYSQL|POSTGRES)(?:QL)?_|_DATABASE_URL$/i;

/** @param file the text of `toolkits.yaml` */
export function importerEnvironment(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const named = new Set(variableNames(file));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isServiceVariable(name) && (!OF_DATABASE.test(name) || named.has(name))),
  );
}

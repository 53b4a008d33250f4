/** Variables of the process that serves a `toolkits.yaml`: those of `svc-sdk serve` without the secrets of the service. */

/** Keys and addresses of the service: never for an imported toolkit. */
const OF_SERVICE = /^SVC_/i;
/** Where a database is and its password: only when the file names them. */
const OF_DATABASE = /^PG|^(?:DATABASE|MYSQL|POSTGRES)(?:QL)?_|_DATABASE_URL$/i;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** @param file the text of `toolkits.yaml` */
export function importerEnvironment(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const named = new Set(Array.from(file.matchAll(VARIABLE), ([, name]) => name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_SERVICE.test(name) && (!OF_DATABASE.test(name) || named.has(name))));
}

/** Variables with network settings: certificates of a private authority, a proxy, a mirror of a package registry. */

const NAMES = new Set([
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'NODE_USE_SYSTEM_CA',
  'DENO_CERT',
  'DENO_TLS_CA_STORE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NIX_SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PIP_CERT',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'PIP_PROXY',
  'UV_DEFAULT_INDEX',
  'UV_INDEX',
  'UV_INDEX_URL',
  'UV_EXTRA_INDEX_URL',
  'UV_NATIVE_TLS',
  'UV_SYSTEM_CERTS',
]);
/** Programs read both cases. */
const PROXY = /^(?:https?|all|no)_proxy$/i;
/** Excludes npm's other variables for its child processes, and tokens. */
const NPM = /^npm_config_(?:(?:@[^:]+:)?registry|ca|cafile|proxy|https?[_-]proxy|noproxy)$/i;

export function networkVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isWanted = (name: string) => NAMES.has(name) || PROXY.test(name) || NPM.test(name);
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value && isWanted(name) ? [[name, value]] : [])));
}

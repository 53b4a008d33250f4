/**
 * Redacts secrets in a log line: keys, passwords in URLs, and the secrets in this process's environment.
 *
 * Any text may contain one: input of strangers returns in a path, a close reason or a driver's message.
 */
const HIDDEN = '[redacted]';
const KEY = /svc_(agent|toolkit|admin)_[0-9A-Za-z]{8,}/g;
/** Also in JSON text, where a quote or backslash of a password is escaped. */
const CREDENTIALS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s"\\]|\\.){0,1000}@/gi;
const SECRET_NAME = /^SVC_\w*(KEY|TOKEN|PASSWORD|SECRET)$/;
const URL_NAME = /^SVC_\w*URL$/;
/** A shorter one would be found in every other word. */
const MIN_SECRET_CHARS = 6;

/** @param secretName of a variable whose value is a secret; default: those of the service */
export function redactor(environment: NodeJS.ProcessEnv, secretName: RegExp = SECRET_NAME): (text: string) => string {
  const secrets = Object.entries(environment)
    .flatMap(([name, value = '']) => (secretName.test(name) ? [value] : URL_NAME.test(name) ? passwordsIn(value) : []))
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return (text) => {
    const shown = text.replace(CREDENTIALS, `$1${HIDDEN}@`).replace(KEY, `svc_$1_${HIDDEN}`);
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), shown);
  };
}

/** As it is written and as it is meant; of a list of servers, each. */
function passwordsIn(urls: string): string[] {
  return urls.split(',').flatMap((url) => {
    const password = URL.parse(url.trim())?.password ?? '';
    return [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is part of it.
    return text;
  }
}

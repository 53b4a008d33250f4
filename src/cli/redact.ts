/**
 * Redacts secrets in a log line: keys, tokens, session cookies, passwords in URLs, and the secrets in this process's environment.
 *
 * Any text may contain one: input of strangers returns in a path, a close reason or a driver's message.
 */
const HIDDEN = '[redacted]';
/** Secrets that the service makes, by their beginnings. */
const MADE: readonly RegExp[] = [
  /(svc_(?:agent|toolkit|admin)_)[0-9A-Za-z]{8,}/g,
  // Claims and signature: the claims alone show which key or sign-in it belongs to.
  /(svc_(?:token|refresh)_)[\w-]{8,}(?:\.[\w-]*)*/g,
  /(svc_code_)[\w-]{8,}/g,
  // Longer than the id of a call, which begins alike.
  /(inv_setup_)[0-9A-Za-z]{8,}/g,
  /(\binv_)[0-9A-Za-z]{32,}/g,
  /(whsec_)[\w+/-]{8,}={0,2}/g,
  /(\bsvc_(?:session|oidc_state|passkey)=)[^\s;,"\\]+/g,
];
/** Such as the token of an imported server. Prose has shorter words after these. */
const AUTHORIZATION = /\b((?:Bearer|Basic) )(?!svc_)[\w.~+/=-]{20,}/gi;
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
    const shown = text.replace(CREDENTIALS, `$1${HIDDEN}@`);
    const known = [...MADE, AUTHORIZATION].reduce((rest, secret) => rest.replace(secret, `$1${HIDDEN}`), shown);
    return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), known);
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

/** Names of headers, variables, options and query parameters whose values look like secrets. */

/** Also inside of a longer word: `userpassword`. */
const SECRET_PART = /apikey|cookie|credential|passphrase|passw|pwd|secret/;
/** Only at the end of a word: `--max-tokens`, `--keyword` and `GIT_AUTHOR_NAME` have no secret. */
const SECRET_WORD = /(?:auth|authentication|authori[sz]ation|keys?|pass|session(?:id)?|token)(?![a-z])/;

export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return SECRET_PART.test(words) || SECRET_WORD.test(words);
}

/** `--list-token`, as each start of the command declares it. `list-token.ts` reads it, with the code of imports. */
export const LIST_TOKEN = '--list-token <token>';
export const LIST_TOKEN_TEXT = `your token as '\${VARIABLE}', to list the tools without a sign-in in a browser`;

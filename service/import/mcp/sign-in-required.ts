/** A server that lists its tools for signed-in people alone. The operator has to sign in once, for the list. */
import { SvcError } from 'svc-sdk';
import type { HttpConfig } from './config';

export class SignInRequired extends SvcError {
  readonly url: string;
  /** `WWW-Authenticate` of the server's answer. */
  readonly challenge: string;

  constructor({ url, auth }: HttpConfig, challenge = '') {
    const advice = auth
      ? 'To sign in for that, run svc-service toolkits approve, or add mcp, in a terminal, or name a token with --list-token'
      : "Give each user's own account with --connection user (auth: user in toolkits.yaml), or a token of yours in headers";
    super('INVALID_REQUEST', `The MCP server wants a sign-in before it lists its tools. ${advice}`);
    this.url = url;
    this.challenge = challenge;
  }
}

/** RFC 9728 section 5.1: the challenge of a server with a sign-in names its metadata. */
export function namesSignIn(challenge: string | undefined): boolean {
  return challenge !== undefined && /\bresource_metadata\s*=/i.test(challenge);
}

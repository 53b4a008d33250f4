/** Authenticates the client at every connection. */
import { readFileSync } from 'node:fs';
import type { Authenticator } from '@nats-io/transport-node';
import { SvcError } from '#sdk/protocol/errors';
import type { NatsModule } from './nats-module';
import type { NatsLogin } from './nats-options';

/** Throws INVALID_REQUEST for an invalid file or seed: the client would stop reconnecting for good. */
export function authenticatorOf(nats: NatsModule, login: NatsLogin): Authenticator | undefined {
  switch (login.kind) {
    case 'none':
      return undefined;
    case 'password':
      return nats.usernamePasswordAuthenticator(login.user, login.password);
    case 'token':
      return nats.tokenAuthenticator(login.token);
    case 'nkey':
      return tried(
        nats.nkeyAuthenticator(Buffer.from(login.seed)),
        'nats.nkeySeed is not a seed of an nkey: it begins with SU; paste it again',
      );
    case 'credentials':
      return credentialsAuthenticator(nats, login.path);
  }
}

/** Reads the file again at every connection. While the file is invalid, such as half written, the last valid credentials are used. */
function credentialsAuthenticator(nats: NatsModule, path: string): Authenticator {
  const read = () => nats.credsAuthenticator(readFileSync(path));
  let last = tried(read(), `nats.credentials: ${path} is not a credentials file: make one with nsc generate creds`);
  return (nonce) => {
    try {
      const login = read();
      const proof = login(nonce);
      last = login;
      return proof;
    } catch {
      return last(nonce);
    }
  };
}

/** The cause is left out: it may quote the secret. */
function tried(authenticator: Authenticator, failure: string): Authenticator {
  try {
    authenticator('nonce');
  } catch {
    throw new SvcError('INVALID_REQUEST', failure);
  }
  return authenticator;
}

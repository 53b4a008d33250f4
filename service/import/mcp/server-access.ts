/** The credential of a session's requests beside its settings, and the redactor of all texts that come back. */
import type { ActionConnection } from 'svc-sdk';
import type { CredentialPlace, FixedCredential } from '../credential';
import type { Redactor, Secret } from '../redactor';
import { connectionSecrets, credentialOf } from '../with-connection';

export interface ServerAccess {
  readonly redactor: Redactor;
  readonly credential: FixedCredential | undefined;
}

/** The account of one connection. Its token is renewed while the session goes on. */
export class AccountAccess implements ServerAccess {
  readonly #place: CredentialPlace;
  readonly #source: Redactor;
  #secrets: readonly Secret[];
  credential: FixedCredential;
  redactor: Redactor;

  constructor(place: CredentialPlace, connection: ActionConnection, source: Redactor) {
    this.#place = place;
    this.#source = source;
    this.#secrets = connectionSecrets(connection);
    // A call's connection may change in place, so its values are copied.
    this.credential = credentialOf(connection, place);
    this.redactor = source.with(this.#secrets);
  }

  /** Calls that still run may get an answer about the former token. */
  use(connection: ActionConnection): void {
    const credential = credentialOf(connection, this.#place);
    if (credential.value === this.credential.value) return;
    const secrets = connectionSecrets(connection);
    this.redactor = this.#source.with([...secrets, ...this.#secrets]);
    this.#secrets = secrets;
    this.credential = credential;
  }
}

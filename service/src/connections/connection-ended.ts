/** Only its user can mend the connection, who connects the account again. The message says why, to that user. */
export class ConnectionEnded extends Error {
  override readonly name = 'ConnectionEnded';
}

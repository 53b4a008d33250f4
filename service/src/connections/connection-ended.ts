/** The user of the connection has to connect the account again. The message says why, to that user. */
export class ConnectionEnded extends Error {
  override readonly name = 'ConnectionEnded';
}

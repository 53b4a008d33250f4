/** A request and its client address. */
export interface ClientRequest {
  request: Request;
  /** The address of the socket. */
  clientAddress: string;
}

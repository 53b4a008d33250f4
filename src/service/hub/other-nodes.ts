/** Questions of the hub about the other nodes of the service. */
export interface OtherNodes {
  /** Whether another node offers the action. */
  offers(toolkitId: string, actionName: string): boolean;
  /** Running calls of the toolkit. */
  running(toolkitId: string): number;
  /** Toolkit sockets of the key. */
  sockets(keyId: string): number;
}

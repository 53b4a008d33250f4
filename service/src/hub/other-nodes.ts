/** The state of other nodes that the hub needs. */
export interface OtherNodes {
  /** Whether another node offers the action. */
  offers(toolkitId: string, actionName: string): boolean;
  /** Number of running calls of the toolkit at other nodes. */
  running(toolkitId: string): number;
  /** Number of toolkit sockets of the key at other nodes. */
  sockets(keyId: string): number;
}

/** Subjects of the messages between nodes. Toolkit and node ids need no escaping. */

/** Calls for a toolkit. The nodes with sockets of the toolkit are one queue group. */
export const toolkitSubject = (toolkitId: string): string => `toolkit.${toolkitId}`;
/** Messages for one node: calls, requests to join a call, offers of other nodes. */
export const nodeSubject = (node: string): string => `node.${node}`;
/** Messages for all nodes. */
export const ALL_NODES_SUBJECT = 'nodes';

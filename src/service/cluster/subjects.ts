/** Subjects of the messages between nodes. Toolkit and node ids are words of a subject as they are. */

/** Calls for a toolkit: the nodes that hold sockets of it are one group. */
export const toolkitSubject = (toolkitId: string): string => `toolkit.${toolkitId}`;
/** Messages for one node: calls, questions about calls, offers of others. */
export const nodeSubject = (node: string): string => `node.${node}`;
/** Messages for all nodes. */
export const ALL_NODES_SUBJECT = 'nodes';

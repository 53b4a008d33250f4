/** Where nodes hear of each other. Toolkit and node ids are words of a subject as they are. */

/** Calls for a toolkit: the nodes that hold sockets of it are one group. */
export const toolkitSubject = (toolkitId: string): string => `toolkit.${toolkitId}`;
/** What is meant for one node: calls, questions about calls, what others offer. */
export const nodeSubject = (node: string): string => `node.${node}`;
/** What all nodes should know. */
export const ALL_NODES_SUBJECT = 'nodes';

import { randomUUID } from 'node:crypto';

/** The name of this process among the nodes: also a token of a subject on the bus. */
export function newNodeId(): string {
  return `node_${randomUUID().replaceAll('-', '')}`;
}

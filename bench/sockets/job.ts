/** What the bench tells a process of idle toolkits; the answer is always its `ToolkitCounts`. */
export type SocketJob =
  /** One toolkit for each key with so many actions (default 1), `replicas` times; answered when all are registered. */
  | { do: 'open'; addresses: { host: string; port: number }[]; keys: string[]; replicas: number; actions?: number | undefined }
  /** Every connection breaks at once; answered without waiting for them to come back. */
  | { do: 'cut' }
  | { do: 'count' }
  | { do: 'close' };

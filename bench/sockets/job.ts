/** A command to a process of idle toolkits. The answer is always its `ToolkitCounts`. */
export type SocketJob =
  /** One toolkit for each key with so many actions (default 1), `replicas` times; answered when all are registered. */
  | { do: 'open'; addresses: { host: string; port: number }[]; keys: string[]; replicas: number; actions?: number | undefined }
  /** Breaks every connection at once. The answer does not wait until they reconnect. */
  | { do: 'cut' }
  | { do: 'count' }
  | { do: 'close' };

/** An MCP server as `toolkits.yaml` names it, after `${NAME}` was replaced. */

/** A program on this machine that speaks MCP on stdin and stdout. */
export interface ProcessConfig {
  command: string;
  args?: readonly string[] | undefined;
  /** Variables beside PATH and HOME. Names that begin with `SVC_` are refused. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The folder in which it runs. Default: the folder of this process. */
  cwd?: string | undefined;
  /** Minutes without a call after which its process ends; the next call starts another. Default: 10. */
  idleMinutes?: number | undefined;
  /**
   * A process for each agent key or for each user of a key, for a server that keeps state between calls. At most 8 at a time. Default: one process
   * for all.
   */
  one?: 'agent' | 'user' | undefined;
}

/** A server that speaks streamable HTTP. */
export interface HttpConfig {
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
}

export type McpConfig = ProcessConfig | HttpConfig;

/** A line about a server, such as a line of its stderr. */
export interface ServerLog {
  level: 'info' | 'warn';
  message: string;
}

export type ServerLogListener = (log: ServerLog) => void;

export function isHttp(config: McpConfig): config is HttpConfig {
  return 'url' in config;
}

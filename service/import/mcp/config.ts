/** An MCP server of `toolkits.yaml`, after `${NAME}` was replaced. */
import type { ConnectionChoice } from '../connection-settings';

/** The scope of the state that a server keeps between calls. */
interface SessionConfig {
  /** A session for each agent key or for each user of a key: a process, or a session over HTTP. Default: one shared. */
  one?: 'agent' | 'user' | undefined;
  /** Concurrent sessions of `one`, by default 8, or of connections, by default 100. A caller beyond the limit of `one` is refused until a session ends. */
  maxSessions?: number | undefined;
  /** Minutes without a call until a process, or a session of `one`, ends; the next call starts another. Default: 10. */
  idleMinutes?: number | undefined;
}

/** A local program with MCP on stdin and stdout. */
export interface ProcessConfig extends SessionConfig {
  command: string;
  args?: readonly string[] | undefined;
  /** Variables beside PATH, HOME and those of the network. Names that begin with `SVC_` are refused. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Its working directory. Default: that of this process. */
  cwd?: string | undefined;
}

/** A server with streamable HTTP. */
export interface HttpConfig extends SessionConfig {
  url: string;
  /** The operator's, for all sessions. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The connection of each call. Every connection has a session of its own. Default: the operator's headers alone. */
  auth?: ConnectionChoice | undefined;
}

export type McpConfig = ProcessConfig | HttpConfig;

/** A line about a server, such as a line of its stderr or a message of its log. */
export interface ServerLog {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}

export type ServerLogListener = (log: ServerLog) => void;

export function isHttp(config: McpConfig): config is HttpConfig {
  return 'url' in config;
}

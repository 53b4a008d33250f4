/** Where the service writes what an operator must know; pino fits. Keys and payloads are never handed to it. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** False spares the service what it would only do for the log. Absent: every level is wanted. */
  isLevelEnabled?(level: 'info'): boolean;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false };

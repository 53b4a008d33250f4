/** Logger for the operator; pino fits. The service never logs keys or payloads. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** False lets the service skip work that only the log needs. Absent: every level is logged. */
  isLevelEnabled?(level: 'info'): boolean;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {}, isLevelEnabled: () => false };

/** The reasons for which a turn ends before the model has answered. */
import type { TurnCode } from '../events';

export class EarlyEnd extends Error {
  override readonly name = 'EarlyEnd';
  readonly code: TurnCode;

  constructor(code: TurnCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The agent ends. The stored turn stays unchanged, for the next start. */
export class AgentEnds extends Error {
  override readonly name = 'AgentEnds';
}

/** Well below the 24 hours for which the service stores outcomes: calls of an older turn could run a second time. */
export const MAX_AGE_MS = 12 * 60 * 60 * 1_000;

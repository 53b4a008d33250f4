/** Why a turn ends before the model has answered. */
import type { TurnCode } from '../events';

export class EarlyEnd extends Error {
  override readonly name = 'EarlyEnd';
  readonly code: TurnCode;

  constructor(code: TurnCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The agent ends: the turn stays as it is written, for the next start. */
export class AgentEnds extends Error {
  override readonly name = 'AgentEnds';
}

/** The service keeps outcomes for 24 hours: the calls of an older turn could run a second time. */
export const MAX_AGE_MS = 12 * 60 * 60 * 1_000;

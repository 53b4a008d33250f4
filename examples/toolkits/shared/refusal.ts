/** A mistake that the caller can correct: `code` for programs, `message` says what to do instead. Toolkits answer with it by `ctx.error`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The message of a library, as one line without a full stop. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').replace(/\.$/, '');
}

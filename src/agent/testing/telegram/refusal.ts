/** An answer of Telegram that is not ok. */
import type { FakeAnswer } from '../fake-server';

export class TelegramRefusal extends Error {
  override readonly name = 'TelegramRefusal';
  readonly status: number;
  readonly parameters: object | undefined;

  constructor(status: number, description: string, parameters?: object) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }

  toAnswer(): FakeAnswer {
    const { status, message, parameters } = this;
    return { status, body: { ok: false, error_code: status, description: message, ...(parameters && { parameters }) } };
  }
}

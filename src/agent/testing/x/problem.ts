/** An answer of X that is not ok, as a problem of RFC 7807. */
import type { FakeAnswer } from '../fake-server';

const TITLES: Record<number, string> = {
  400: 'Invalid Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found Error',
  429: 'Too Many Requests',
};

export class XProblem extends Error {
  override readonly name = 'XProblem';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }

  toAnswer(): FakeAnswer {
    const { status, headers, message: detail } = this;
    return { status, headers, body: { title: titleOf(status), detail, type: 'about:blank', status } };
  }
}

export function titleOf(status: number): string {
  return TITLES[status] ?? 'Service Unavailable';
}

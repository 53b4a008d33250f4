/** Why a connection failed or closed, and whether a retry can help. */
import { errorText } from '../protocol/error-text';
import { ERRORS, SvcError, type SvcErrorCode } from '../protocol/errors';
import { CLOSE_CODES, FRAME_ERRORS, type FrameError } from '../protocol/frames';
import { isObject } from '../protocol/json-object';

export interface Fault {
  error: SvcError;
  /** A retry would fail the same way. */
  final?: boolean;
  /** A frame of this toolkit was larger than the service accepts. */
  frameTooLarge?: boolean;
}

/** RFC 6455 section 7.4.1. */
const MESSAGE_TOO_BIG = 1009;
const MAX_QUOTED_CHARS = 200;

export function networkFault(error: Error, url: string): Fault {
  // The message of an AggregateError (all addresses of a host failed) is empty.
  const said = errorText(error.message || ('code' in error ? String(error.code) : error.name));
  return { error: new SvcError('SERVICE_UNREACHABLE', `No connection to ${url}: ${said}`, {}, { cause: error }) };
}

/** The service, or a proxy before it, answered the upgrade request with a plain HTTP response. */
export function refusedUpgrade(status: number, body: string, url: string): Fault {
  const final = status === 401 || status === 403;
  const code = final ? 'INVALID_KEY' : 'SERVICE_UNREACHABLE';
  const advice = status === 404 || status < 400 ? '; is baseUrl right?' : '';
  const said = `${url} answered ${status}${advice} ${errorText(body).slice(0, MAX_QUOTED_CHARS)}`.trimEnd();
  return { final, error: readProblem(body) ?? new SvcError(code, said) };
}

export function closedWith(code: number, said: string): Fault {
  const reason = errorText(said);
  if (code === CLOSE_CODES.keyRefused) {
    const errorCode = isErrorCode(reason) ? reason : 'INVALID_KEY';
    return {
      final: true,
      error: new SvcError(errorCode, `The service closed the connection: ${reason || 'the key is refused'}; give this toolkit another key`),
    };
  }
  const error = new SvcError('CONNECTION_CLOSED', `The connection closed with ${code}${reason && `: ${reason}`}`);
  return { error, frameTooLarge: code === MESSAGE_TOO_BIG };
}

/** An error answer of the service, whose `data` is a ModelError. */
export function fromFrameError({ code, message, data }: FrameError): SvcError {
  const { message: _, ...details }: Record<string, unknown> = isObject(data) ? data : {};
  const problem = SvcError.fromProblem({ ...details, detail: message });
  return problem ?? new SvcError(code === FRAME_ERRORS.failed ? 'INTERNAL' : 'INVALID_REQUEST', errorText(message));
}

function readProblem(body: string): SvcError | undefined {
  try {
    return SvcError.fromProblem(JSON.parse(body));
  } catch {
    // Not JSON, such as the page of a proxy.
    return undefined;
  }
}

function isErrorCode(value: unknown): value is SvcErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}

/** Checks for the contract. A failed check is an Error, so that no test runner is needed. */
import { isDeepStrictEqual } from 'node:util';

export function check(isRight: boolean, problem: string): asserts isRight {
  if (!isRight) throw new Error(problem);
}

/** @param what such as `The client returned` */
export function checkSame(what: string, actual: unknown, expected: unknown): void {
  check(isDeepStrictEqual(actual, expected), `${what} ${JSON.stringify(actual)}, and should be ${JSON.stringify(expected)}`);
}

/** Checks that a value survives JSON unchanged, since it is stored. */
export function checkJson(what: string, value: unknown): void {
  const text: string | undefined = JSON.stringify(value);
  const isJson = text !== undefined && isDeepStrictEqual(JSON.parse(text), value);
  check(isJson, `${what} has to be JSON, for it is stored. JSON.stringify makes ${text} of it, which is not the same value`);
}

export function isRefusedReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'RefusedReply';
}

/** The plain requests of one route: authenticates the caller, lets the route answer, and writes its answer or problem. */
import type { CallingKey } from '../keys/agent-tokens';
import { currentWork } from '../lib/current-work';
import type { Logger } from '../lib/logger';
import { toSvcError } from '../lib/problem';
import type { AgentGate, LastKey } from './agent-gate';
import type { PlainRequest, PlainRequestHandler } from './fast-path/plain-request';
import type { RequestHead } from './fast-path/request-head';
import { routeProblem } from './route-problem';

/** Called once, with an error or the JSON text of the answer. */
type AnswerPlain = (error: unknown, json: string, status?: 200 | 202) => void;

export interface AdmittedRequest {
  request: PlainRequest;
  key: CallingKey;
  /** Text of the body. */
  body: string;
  /** Headers of the answer. */
  headers: Record<string, string>;
  /** `performance.now()` before the request was admitted. */
  receivedAt: number;
}

interface PlainRouteParts {
  gate: AgentGate;
  logger: Logger;
  /** Name of the route in the log. */
  where: string;
  /** Answers an admitted request. Never throws. */
  run(admitted: AdmittedRequest, answer: AnswerPlain): void;
  /** Called when the caller is refused. */
  refused?(error: unknown, authorization: string | undefined): void;
}

export class PlainRoute implements PlainRequestHandler {
  readonly #parts: PlainRouteParts;

  constructor(parts: PlainRouteParts) {
    this.#parts = parts;
  }

  mayReadBody({ authorization }: RequestHead, lastKey: LastKey): boolean {
    return this.#parts.gate.admitsNow(lastKey, authorization);
  }

  handlePlain(request: PlainRequest, body: string): void {
    const receivedAt = performance.now();
    const { authorization } = request.head;
    const headers: Record<string, string> = {};
    const setHeader = (name: string, value: string) => {
      headers[name] = value;
    };
    const refuse = (error: unknown) => {
      this.#parts.refused?.(error, authorization);
      this.#answerProblem(request, headers, error);
    };
    let key: CallingKey | Promise<CallingKey>;
    try {
      key = this.#parts.gate.admitFrom(request.lastKey, authorization, setHeader);
    } catch (error) {
      return refuse(error);
    }
    if (key instanceof Promise) key.then((admitted) => this.#run({ request, key: admitted, body, headers, receivedAt }), refuse);
    else this.#run({ request, key, body, headers, receivedAt });
  }

  /** The function `answer` exists as long as the request, so it must not reference the body. */
  #run(admitted: AdmittedRequest): void {
    const { request, key, headers } = admitted;
    currentWork.mark(request.head.path, key.id);
    this.#parts.run(admitted, (error, json, status = 200) => {
      if (error !== undefined) return this.#answerProblem(request, headers, error);
      headers['content-type'] = 'application/json';
      request.answer(status, headers, json);
    });
  }

  #answerProblem(request: PlainRequest, headers: Record<string, string>, error: unknown): void {
    const { logger, where } = this.#parts;
    const problem = routeProblem(toSvcError(error, logger, where));
    request.answer(problem.status, { ...headers, ...problem.headers }, problem.body);
  }
}

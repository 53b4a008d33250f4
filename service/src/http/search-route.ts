/**
 * `POST /v1/search`: finds actions that a model can use now. A hot route: plain requests come from fast-path/, others from `node:http`, those of the
 * service itself from hono; all get the same answers. docs/protocol.md section 4.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { searchRequest } from '#sdk/protocol/schemas';
import { currentWork } from '../lib/current-work';
import { parseOrThrow } from '../lib/parse';
import { toSvcError } from '../lib/problem';
import type { SetHeader } from './agent-gate';
import { type AskedSearch, answerSearchRequest, type SearchDeps, type SearchHeaders } from './answer-search-request';
import type { AppDeps } from './app-deps';
import { answerJson, answerProblem, joinedHeader } from './hot-answers';
import { type AdmittedRequest, PlainRoute } from './plain-route';
import { parseJsonBody } from './read-body';

type HotSearchDeps = SearchDeps & Pick<AppDeps, 'gate' | 'bodies' | 'logger'>;
type UnparsedSearch = Omit<AskedSearch, 'body'> & { body: unknown };

export class SearchRoute {
  /** Answers plain requests. */
  readonly plain: PlainRoute;
  readonly #deps: HotSearchDeps;

  constructor(deps: HotSearchDeps) {
    this.#deps = deps;
    this.plain = new PlainRoute({
      gate: deps.gate,
      logger: deps.logger,
      where: PATHS.search,
      run: (admitted, answer) =>
        void this.#answerPlain(admitted).then(
          (json) => answer(undefined, json),
          (error) => answer(error, ''),
        ),
    });
  }

  /** Answers every request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { gate, bodies, logger } = this.#deps;
    const receivedAt = performance.now();
    const setHeader = (name: string, value: string) => void response.setHeader(name, value);
    try {
      const admitted = await gate.admit(request.headers.authorization, setHeader);
      const body = await bodies.readJson(request);
      const key = await gate.again(admitted);
      currentWork.mark(PATHS.search, key.id);
      const headers = searchHeadersOf((name) => joinedHeader(request.headers[name]));
      answerJson(response, await this.#search({ key, body, headers, receivedAt }, setHeader));
    } catch (error) {
      answerProblem(response, toSvcError(error, logger, PATHS.search));
    }
  }

  async #answerPlain({ request, key, body, headers, receivedAt }: AdmittedRequest): Promise<string> {
    const setHeader = (name: string, value: string) => {
      headers[name] = value;
    };
    return this.#search({ key, body: parseJsonBody(body), headers: request.head, receivedAt }, setHeader);
  }

  async #search({ body, ...asked }: UnparsedSearch, setHeader: SetHeader): Promise<string> {
    const { json, id } = await answerSearchRequest({ ...asked, body: parseOrThrow(searchRequest, body, 'body') }, this.#deps);
    if (id !== undefined) setHeader(HEADERS.searchId, id);
    return json;
  }
}

export function searchHeadersOf(header: (name: string) => string | undefined): SearchHeaders {
  const [sessionId, userId] = [header(HEADERS.sessionId), header(HEADERS.userId)];
  return { searchId: header(HEADERS.searchId), sessionId, userId, usage: header(HEADERS.usage) };
}

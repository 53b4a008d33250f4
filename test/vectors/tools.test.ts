/** `Tools` sends the requests of the vectors, and parses the answers. */
import { type ApprovalAnswer, type Credential, type ForOptions, SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isGloballyUnique } from '../../src/tools/globally-unique';
import { type Bindings, expectAbsent, expectMatch, fillIn, fillInAll } from '../support/match';
import {
  bodyOf,
  type Exchange,
  expectHeaders,
  headersOf,
  type ReceivedRequest,
  startVectorService,
  type VectorResponse,
  type VectorService,
} from '../support/vector-exchanges';
import { vector } from '../support/vectors';

const KEY = 'svc_agent_vectors';
const AUTHORIZATION = `Bearer ${KEY}`;

interface Call {
  method:
    | 'search'
    | 'invoke'
    | 'resolve'
    | 'callTools'
    | 'getTools'
    | 'connectUrl'
    | 'confirmConnection'
    | 'result'
    | 'cancel'
    | 'decideApproval';
  args: unknown[];
  options?: ToolsOptions;
}

interface Outcome {
  value?: unknown;
  error?: unknown;
  /** The arguments of `onProgress`. */
  progress?: unknown[];
}

interface CalledExchange extends Exchange {
  name: string;
  call?: Call;
  outcome?: Outcome;
}

const searchIds = vector<CalledExchange[]>('search-ids').filter(({ call }) => call);

test.each(vector<CalledExchange[]>('agent-http').filter(({ call }) => call))('agent-http.json: $name', async (exchange) => {
  const { call = { method: 'invoke', args: [] }, request, absent, outcome } = exchange;
  const bindings: Bindings = new Map();
  const { url, received } = await startVectorService([exchange], bindings);
  const said = await callTools(new Tools({ baseUrl: url, apiKey: KEY, ...call.options }), call, outcome);
  const { headers, ...sent } = received[0] as ReceivedRequest;
  expectMatch(sent, { ...request, headers: undefined }, bindings);
  expect(sent.query).toEqual(request.query ?? {});
  expectAbsent(sent.body, absent);
  const expected = { ...headersOfCall(call, request, outcome), ...request.headers, authorization: AUTHORIZATION };
  expectHeaders(headers, expected, bindings, 'headers');
  expectMatch(said, outcome, bindings);
  expect(received).toHaveLength(1);
});

test('search-ids.json: one Tools names its searches as the transcript does', async () => {
  const bindings: Bindings = new Map();
  const { url, received } = await startVectorService(searchIds, bindings);
  const tools = new Tools({ baseUrl: url, apiKey: KEY });
  for (const { name, call, request } of searchIds) {
    await callTools(tools, call as Call);
    const { headers, ...sent } = received.at(-1) as ReceivedRequest;
    expectMatch(sent, { ...request, headers: undefined }, new Map(), name);
    expect(headers['svc-search-id'] ?? null, name).toEqual(fillIn(request.headers?.['svc-search-id'], bindings));
  }
});

test('tools.json: getTools makes no request, and gives exactly these bytes', async () => {
  const { url, received } = await startVectorService([]);
  const tools = await new Tools({ baseUrl: url, apiKey: KEY }).getTools();
  expect(JSON.stringify(tools)).toBe(JSON.stringify(vector('tools')));
  expect(received).toEqual([]);
});

test('run-code.json: the third tool, and exactly these bytes', async () => {
  const { url, received } = await startVectorService([]);
  const tools = await new Tools({ baseUrl: url, apiKey: KEY, code: true }).getTools();
  expect(JSON.stringify(tools)).toBe(JSON.stringify([...vector<unknown[]>('tools'), vector<{ tool: unknown }>('run-code').tool]));
  expect(received).toEqual([]);
});

interface CallToolsCase {
  name: string;
  options?: ToolsOptions;
  toolCalls: never;
  callOptions?: object;
  exchanges: Exchange[];
  messages: { role: string; tool_call_id: string; content: unknown; absent?: string[] }[];
}

test.each(vector<CallToolsCase[]>('call-tools'))(
  'call-tools.json: $name',
  async ({ options, toolCalls, callOptions, exchanges, messages }) => {
    const bindings: Bindings = new Map();
    const { url, received, requestOf } = await startVectorService(exchanges, bindings);
    const said = await new Tools({ baseUrl: url, apiKey: KEY, ...options }).callTools(toolCalls, callOptions);
    expectEach(exchanges, received, requestOf);
    for (const exchange of exchanges) {
      const { request, absent } = exchange;
      const { headers, body } = requestOf(exchange) as ReceivedRequest;
      expectAbsent(body, absent);
      const expected = { ...headersOfCall({ method: 'callTools' }, request), ...request.headers, authorization: AUTHORIZATION };
      expectHeaders(headers, expected, bindings, 'headers');
    }
    expectMessages(said, messages, bindings);
  },
);

interface ClientStep extends Outcome {
  for?: ForOptions;
  call?: Call;
  toolCalls?: never;
  exchanges: Exchange[];
  outcome?: Outcome;
  absent?: string[];
  messages?: CallToolsCase['messages'];
}

interface ConnectionVectors {
  credentials: { name: string; toolkit: string; credential: Credential; header: string | null }[];
  choices: { name: string; connectionNames: Record<string, string>; header?: string | null; error?: true }[];
  clients: {
    name: string;
    options?: ToolsOptions;
    connections?: { toolkit: string; userId: string | null; gives: Credential | null }[];
    onConnectionRequired?: { required: { userId: string | null }; answers: boolean | null }[];
    steps: ClientStep[];
  }[];
}

describe('connections.json', () => {
  const { credentials, choices, clients } = vector<ConnectionVectors>('connections');
  const answer: Exchange = {
    request: { method: 'POST', path: '/v1/invoke' },
    response: { status: 200, body: { invocationId: 'inv_1', result: 1 } },
  };

  test.each(credentials)('credential: $name', async ({ toolkit, credential, header }) => {
    const { url, received } = await startVectorService([answer]);
    const connection = fillIn(credential, new Map()) as Credential;
    const said = await new Tools({ baseUrl: url, apiKey: KEY })
      .invoke(`${toolkit}__act`, {}, { connection })
      .catch((error: SvcError) => error);
    expect(received.map(({ headers }) => headers['svc-connections'])).toEqual(header === null ? [] : [header]);
    if (header !== null) return;
    expect(said).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(JSON.stringify(said)).not.toMatch(/secr|xxx/);
  });

  test.each(choices)('choice: $name', async ({ connectionNames, header = null, error }) => {
    const { url, received } = await startVectorService([answer]);
    const names = fillIn(connectionNames, new Map()) as Record<string, string>;
    const call = async () => new Tools({ baseUrl: url, apiKey: KEY, connectionNames: names }).invoke('github__act');
    if (error) await expect(call()).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    else await call();
    expect(received.map(({ headers }) => headers['svc-connection-names'] ?? null)).toEqual(error ? [] : [header]);
  });

  test.each(clients)('client: $name', async ({ options, connections, onConnectionRequired, steps }) => {
    const bindings: Bindings = new Map();
    const { url, received, requestOf } = await startVectorService(
      steps.flatMap(({ exchanges }) => exchanges),
      bindings,
    );
    const asked = [...(connections ?? [])];
    const required = [...(onConnectionRequired ?? [])];
    const tools = new Tools({
      ...{ baseUrl: url, apiKey: KEY, ...options },
      ...(connections && {
        async connections(toolkit: string, userId: string | undefined) {
          const { gives, ...expected } = asked.shift() ?? { toolkit: 'not called', userId: null, gives: null };
          expect({ toolkit, userId: userId ?? null }).toEqual(expected);
          return gives ?? undefined;
        },
      }),
      ...(onConnectionRequired && {
        async onConnectionRequired(given) {
          const { required: expected, answers } = required.shift() ?? { required: { userId: 'not called' }, answers: null };
          expect({ ...given, userId: given.userId ?? null }).toEqual(expected);
          return answers ?? undefined;
        },
      }),
    } satisfies ToolsOptions);
    await playSteps(tools, steps, { received, requestOf, bindings });
    expect({ asked, required }).toEqual({ asked: [], required: [] });
  });
});

interface WaitingCase {
  name: string;
  options?: ToolsOptions;
  onApprovalRequired?: { required: { userId: string | null }; answers: ApprovalAnswer | null }[];
  steps: ClientStep[];
}

describe.each([
  { file: 'approvals', cases: vector<WaitingCase[]>('approvals') },
  { file: 'long-calls', cases: vector<WaitingCase[]>('long-calls') },
  { file: 'run-code', cases: vector<{ clients: WaitingCase[] }>('run-code').clients },
])('$file.json', ({ cases }) => {
  test.each(cases)('$name', async ({ options, onApprovalRequired, steps }) => {
    const bindings: Bindings = new Map();
    const exchanges = steps.flatMap((step) => step.exchanges);
    const service = await startVectorService(exchanges, bindings);
    const required = [...(onApprovalRequired ?? [])];
    const tools = new Tools({
      ...{ baseUrl: service.url, apiKey: KEY, ...options },
      ...(onApprovalRequired && {
        async onApprovalRequired(given) {
          const { required: expected, answers } = required.shift() ?? { required: { userId: 'not called' }, answers: null };
          expect({ ...given, userId: given.userId ?? null }).toEqual(expected);
          return answers ?? undefined;
        },
      }),
    } satisfies ToolsOptions);
    await playSteps(tools, steps, { ...service, bindings });
    expect(required, 'questions').toEqual([]);
  });
});

/** The calls of one client, each with its exchanges in order. */
async function playSteps(
  tools: Tools,
  steps: readonly ClientStep[],
  { received, requestOf, bindings }: Pick<VectorService, 'received' | 'requestOf'> & { bindings: Bindings },
): Promise<void> {
  for (const step of steps) {
    const client = step.for ? tools.for(step.for) : tools;
    const before = received.length;
    if (step.call) {
      const said = await callTools(client, step.call);
      expectMatch(said, step.outcome, bindings);
      expectAbsent(said, step.absent);
    } else expectMessages(await client.callTools(step.toolCalls), step.messages ?? [], bindings);
    expect(received.slice(before), 'requests in order').toEqual(step.exchanges.map(requestOf));
    for (const exchange of step.exchanges) {
      const { request, absent } = exchange;
      const { headers, body } = requestOf(exchange) as ReceivedRequest;
      expectAbsent(body, absent);
      expectHeaders(
        headers,
        { ...headersOfCall(step.call ?? { method: 'callTools' }, request), ...request.headers, authorization: AUTHORIZATION },
        bindings,
        request.path,
      );
    }
  }
}

interface StaticToolsCase extends Outcome {
  name: string;
  options: object;
  exchanges: Exchange[];
  /** The names of the tools, if the rest of the value is in another file. */
  names?: string[];
}

test.each(vector<StaticToolsCase[]>('static-tools'))('static-tools.json: $name', async ({ options, exchanges, names, value, error }) => {
  const { url, received, requestOf } = await startVectorService(exchanges);
  const said = await callTools(new Tools({ baseUrl: url, apiKey: KEY }), { method: 'getTools', args: [options] });
  expectEach(exchanges, received, requestOf);
  if (value) expect(said).toEqual({ value });
  else expectMatch(said, names ? { value: names.map((name) => ({ function: { name } })) } : { error }, new Map());
});

interface RetryCase {
  name: string;
  call: Call;
  random?: number[];
  /** Null: no answer, the connection breaks. */
  answers: (VectorResponse | null)[];
  waitsMs: number[];
  /** `svc-timeout-ms` of each try. */
  timeoutsMs?: number[];
  outcome: Outcome;
}

describe('retries.json', () => {
  test.each(vector<RetryCase[]>('retries'))('$name', async ({ call, random = [], answers, waitsMs, timeoutsMs, outcome }) => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const numbers = [...random];
    vi.spyOn(Math, 'random').mockImplementation(() => numbers.shift() ?? 0);
    const times: number[] = [];
    const timeouts: number[] = [];
    const keys = new Set<unknown>();
    const left = [...answers];
    const fetch: ToolsOptions['fetch'] = async (_url, { headers }) => {
      times.push(performance.now());
      timeouts.push(Number(headers['svc-timeout-ms']));
      keys.add(headers['idempotency-key']);
      const answer = left.shift() ?? null;
      if (!answer) throw new TypeError('fetch failed');
      const filled = fillInAll(answer, new Map()) as VectorResponse;
      return new Response(bodyOf(filled), { status: filled.status, headers: headersOf(filled) });
    };
    let saidAt: number | undefined;
    const said = callTools(new Tools({ baseUrl: 'http://127.0.0.1:1', apiKey: KEY, fetch, ...call.options }), call).finally(() => {
      saidAt = performance.now();
    });
    // A timer that another file of this process left behind may set itself again for good.
    while (saidAt === undefined) await vi.advanceTimersToNextTimerAsync();
    expectMatch(await said, outcome, new Map());
    expect(saidAt, 'no wait after the last answer').toBe(times.at(-1));
    expect(times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)))).toEqual(waitsMs);
    if (timeoutsMs) expect(timeouts).toEqual(timeoutsMs);
    expect(left, 'answers').toEqual([]);
    expect(keys.size, 'idempotency keys').toBe(1);
  });
});

interface ErrorTextCase {
  name: string;
  body: unknown;
  error: object;
  /** Pointers to texts that are cut. */
  cut?: string[];
}

test.each(vector<ErrorTextCase[]>('error-texts'))('error-texts.json: $name', async ({ body, error, cut = [] }) => {
  const bindings: Bindings = new Map([['agentKey', KEY]]);
  const request = { method: 'POST', path: '/v1/search' };
  const { url } = await startVectorService([{ request, response: { status: 400, body } }], bindings);
  const said = await new Tools({ baseUrl: url, apiKey: KEY }).search('x').catch((thrown: SvcError) => thrown.toJSON());
  expectMatch(said, error, bindings);
  for (const pointer of cut) {
    const text = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], said);
    expect(text === `${'x'.repeat(4_095)}…`, pointer).toBe(true);
  }
});

interface KeyCase {
  name: string;
  toolCall: { id: string; function: { name: string; arguments: string } };
  /** Absent: it is fresh, another one for each call. */
  key?: string;
}

test.each(vector<KeyCase[]>('idempotency-keys'))('idempotency-keys.json: $name', async ({ toolCall, key }) => {
  const keyOf = async () => {
    const request = { method: 'POST', path: '/v1/invoke' };
    const { url, received } = await startVectorService([
      { request, response: { status: 200, body: { invocationId: 'inv_1', result: 1 } } },
    ]);
    await new Tools({ baseUrl: url, apiKey: KEY }).callTools([{ type: 'function', ...toolCall }]);
    return received[0]?.headers['idempotency-key'];
  };
  const [first, second] = [await keyOf(), await keyOf()];
  if (key !== undefined) expect([first, second]).toEqual([key, key]);
  else expect([first, second]).toEqual([expect.stringMatching(/^[\x21-\x7e]{16,255}$/), expect.not.stringMatching(`^${first}$`)]);
});

describe('tool-call-ids.json', () => {
  const ids = vector<{ unique: string[]; notUnique: string[] }>('tool-call-ids');
  test.each(ids.unique)('%j is unique enough', (id) => {
    expect(isGloballyUnique(id)).toBe(true);
  });
  test.each(ids.notUnique)('%j is not', (id) => {
    expect(isGloballyUnique(id)).toBe(false);
  });
});

function expectEach(exchanges: Exchange[], received: ReceivedRequest[], requestOf: (exchange: Exchange) => unknown): void {
  expect(exchanges.filter((exchange) => !requestOf(exchange)).map(({ request }) => request)).toEqual([]);
  expect(received, 'requests').toHaveLength(exchanges.length);
}

/** An expected object is the JSON of the text; an expected text is the text itself. */
function expectMessages(said: { content: string }[], messages: CallToolsCase['messages'], bindings: Bindings): void {
  const read = said.map((message, index) =>
    typeof messages[index]?.content === 'string' ? message : { ...message, content: JSON.parse(message.content) },
  );
  expectMatch(
    read,
    messages.map(({ absent: _, ...message }) => message),
    bindings,
  );
  for (const [index, { absent }] of messages.entries()) expectAbsent(read[index], absent, `${index}`);
}

async function callTools(tools: Tools, { method, args }: Call, { progress }: Outcome = {}): Promise<Outcome> {
  const reports: unknown[] = [];
  const withProgress = [...args, ...Array(2).fill(undefined)]
    .slice(0, 2)
    .concat({ ...(args[2] as object), onProgress: (report: unknown) => reports.push(report) });
  const call = tools[method] as (...values: unknown[]) => Promise<unknown>;
  const outcome = await call.apply(tools, progress ? withProgress : args).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: SvcError.is(error) ? error.toJSON() : error }),
  );
  return { ...outcome, ...(progress && { progress: reports }) };
}

/** The headers of every client; test/vectors/README.md has the list. */
function headersOfCall({ method }: Pick<Call, 'method'>, request: Exchange['request'], { progress }: Outcome = {}): Record<string, string> {
  return {
    'svc-timeout-ms': '60000',
    ...(request.method === 'POST' && { 'content-type': 'application/json' }),
    ...(request.path === '/v1/invoke' && { 'idempotency-key': '$string' }),
    ...(request.path === '/v1/invoke' && method === 'callTools' && { 'svc-max-result-chars': '40000' }),
    ...(request.path === '/v1/invoke' && method === 'callTools' && { prefer: 'respond-async, wait=59' }),
    ...(progress && { accept: 'text/event-stream' }),
  };
}

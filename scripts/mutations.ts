/**
 * Mistakes of an SDK that the vectors must catch: each breaks one rule of docs/protocol.md, as an SDK in another language might.
 *
 * Errors: a text that a source does not have, or has more than once, is an error: the mutation would test nothing, or something else.
 */
export interface Mutation {
  /** The mistake, in a few words. */
  name: string;
  file: string;
  before: string;
  after: string;
}

export const MUTATIONS: Mutation[] = [
  ...inFile('src/tools/http-client.ts', [
    ['no idempotency key', '[HEADERS.idempotencyKey]: idempotencyKey,', ''],
    [
      'another idempotency key for each try',
      '[HEADERS.idempotencyKey]: idempotencyKey,',
      '[HEADERS.idempotencyKey]: idempotencyKey && crypto.randomUUID(),',
    ],
    ['no Svc-Timeout-Ms', 'String(deadlineMs ?? Math.max(1, Math.ceil(remainingMs)))', 'undefined'],
    [
      'a deadline for a handle that names none',
      "deadlineMs === 'default' ? undefined :",
      "deadlineMs === 'default' ? String(remainingMs) :",
    ],
    ['no Prefer for a handle', '[HEADERS.prefer]: takesHandle &&', 'nothing: takesHandle &&'],
    ['a handle after the client has given up', 'remainingMs - 1_000', 'remainingMs'],
    ['no key', 'authorization: `Bearer', 'nothing: `Bearer'],
    ['the key in the URL', 'this.#baseUrl + path, init', "this.#baseUrl + path + '?key=' + apiKey, init"],
    ['a redirect is followed', "...body, redirect: 'manual'", "...body, redirect: 'follow'"],
    ['progress is not asked for', "onProgress ? 'text/event-stream' : 'application/json'", "'application/json'"],
    ['no Svc-Max-Result-Chars', '[HEADERS.maxResultChars]: maxResultChars?.toString(),', ''],
    ['no Svc-Max-Payment', '[HEADERS.maxPayment]: maxPayment,', ''],
    ['no Svc-Search-Id', '[HEADERS.searchId]: searchId,', ''],
    ['no session and no user', '...callerHeaders,', ''],
  ]),
  ...inFile('src/tools/service-answer.ts', [
    [
      'the details of an error are thrown away',
      'SvcError.fromProblem({ ...(hidden.hideInJson(body) as object), code: body.code })',
      'SvcError.fromProblem({ code: body.code, detail: body.detail })',
    ],
    ['progress is not handed on', 'onProgress?.(data)', 'void 0'],
    ['JSON of another program is a result', 'SUCCESSES.has(status) && expected.isAnswer(answer)', 'SUCCESSES.has(status)'],
    ['a handle is an error', '[200, 202, 204]', '[200, 204]'],
    ['Retry-After of a proxy is ignored', '...(retryAfterMs && { retryAfterMs })', ''],
  ]),
  ...inFile('src/tools/retry.ts', [
    ['ten tries', 'MAX_TRIES = 3', 'MAX_TRIES = 10'],
    ['no retries', 'MAX_TRIES = 3', 'MAX_TRIES = 1'],
    ['a wait without a random part', ' + fullJitterMs(tries, BACKOFF)', ''],
    ['retryAfterMs is ignored', '(error.retryAfterMs ?? 0) + ', ''],
    ['waits that do not get longer', 'fullJitterMs(tries, BACKOFF)', 'fullJitterMs(1, BACKOFF)'],
    [
      'an error without a time is retried',
      "if (error.code !== 'SERVICE_UNREACHABLE' && error.retryAfterMs === undefined) return undefined;",
      '',
    ],
    ['an error that is not retryable is retried', ' || !error.retryable', ''],
    ['a wait beyond the time of the call', 'waitMs === undefined || performance.now() + waitMs >= endsAt', 'waitMs === undefined'],
    ['each try has the whole time', 'attempt(endsAt - performance.now())', 'attempt(timeoutMs)'],
  ]),
  ...inFile('src/tools/idempotency-key.ts', [
    ['a key from an id that is not unique', 'toolCallId === undefined || !isGloballyUnique(toolCallId)', 'toolCallId === undefined'],
    ['a key without the arguments', '[toolCallId, tool, writeCanonicalJson(input)]', '[toolCallId, tool]'],
    ['a key without the tool', '[toolCallId, tool, writeCanonicalJson(input)]', '[toolCallId, writeCanonicalJson(input)]'],
    [
      'a key from other bytes',
      'JSON.stringify([toolCallId, tool, writeCanonicalJson(input)])',
      "[toolCallId, tool, writeCanonicalJson(input)].join(' ')",
    ],
    ['a fresh key for each call', 'if (hash !== undefined) return hash;', 'if (hash !== undefined) return freshIdempotencyKey();'],
  ]),
  ...inFile('src/tools/json.ts', [
    ['a key from members in their order', 'Object.keys(value).sort()', 'Object.keys(value)'],
    ['empty arguments are broken', "if (input.trim() === '') return {};", ''],
    ['arguments that are encoded twice stay a text', "typeof value === 'string' ? parseArguments(tool, value) : value", 'value'],
  ]),
  ...inFile('src/tools/globally-unique.ts', [
    ['a padded id is unique', ' && !isPadded(token)', ''],
    ['a counted id is unique', ' && !isCounted(token)', ''],
    ['any long id is unique', 'isRandomHex(token) || isRandomMixedCase(token, unspeakableNeeded)', 'token.length >= 12'],
  ]),
  ...inFile('src/tools/tools.ts', [
    ['a call that fails fails all', '      if (!SvcError.is(error)) throw error;', '      throw error;'],
    ['calls of one turn share a key', 'idempotencyKey: key && `', 'idempotencyKey: key || `'],
    ['the payload of a static tool is beside its action', '{ action: tool, payload: input }', '{ action: tool, ...Object(input) }'],
  ]),
  ...inFile('src/tools/caller-connections.ts', [
    ['a needed credential is not remembered', 'this.#needed.add(connect.toolkit);', ''],
    ['a call is made again for ever', 'call.connection || isAsked ?', 'call.connection ?'],
    ['another credential for the connection of the call', 'call.connection || isAsked ?', 'isAsked ?'],
    ['a link goes to connections', '!connect || connect.url !== undefined ||', '!connect ||'],
    ['names to choose from go to connections', ' || connect.connections !== undefined) throw error;', ') throw error;'],
    ['the model reads the link', 'url: _, expiresAt: __, confirm: ___, ...connect', '...connect'],
    ['a second CONNECTION_REQUIRED has the link', 'requiredBy(error)?.url === undefined ? error : userWasAsked(connect)', 'error'],
  ]),
  ...inFile('src/tools/caller-approvals.ts', [
    [
      'an approved call is not made again: approval',
      'if (!(await this.#isPending(id, seconds, leftMs, signal))) return performance.now() < endsAt;',
      'return true;',
    ],
    ['a call of people asks the user: approval', "approval.decidedBy === 'app' && !seen", '!seen'],
    [
      'a decision that was made before fails the call: approval',
      "error.code !== 'CONFLICT') throw error;",
      "error.code !== 'NONE') throw error;",
    ],
    ['no wait for an approval', "if (this.#options.approvals !== 'wait') return false;", 'return false;'],
    ['an approval that only its caller can use is waited for', "found.approval?.status === 'pending'", 'true'],
  ]),
  ...inFile('src/tools/handle-texts.ts', [
    ['the model reads the link of an approval that its user got', '{ approval: withoutLink }', '{ approval }'],
    ['the model does not read the handle beside its call', 'handle: invocationId, ', ''],
    ['the model does not read the progress beside a handle', '...(progress && { progress }), ', ''],
  ]),
  ...inFile('src/tools/credentials.ts', [
    ['a user name with a colon', " || username.includes(':')", ''],
    ['Basic in another charset', 'new TextEncoder().encode(', "((text: string) => Buffer.from(text, 'latin1'))("],
    ['names of connections in any order', '.sort(([a], [b]) => (a < b ? -1 : 1))', ''],
  ]),
  ...inFile('src/tools/hidden-secrets.ts', [["a credential in an error's text", "rest.replaceAll(secret, '[connection]')", 'rest']]),
  ...inFile('src/tools/questions.ts', [
    ['one question for each call of a turn', 'if (former) return former;', ''],
    ['an answer for ever', 'if (--this.#keepers === 0) this.#answers.clear();', ''],
  ]),
  ...inFile('src/tools/caller.ts', [
    ['another user than that of the call', "this.#headers(headerText('userId', userId))", 'this.#headers()'],
    [
      'toolkits of other users are asked for again',
      'new Caller(this.settings, { ...this.#options, ...given }, this.#needed)',
      'new Caller(this.settings, { ...this.#options, ...given })',
    ],
  ]),
  ...inFile('src/tools/tool-calls.ts', [
    ['calls of one turn run one after another', 'mapConcurrent(list, concurrency', 'mapConcurrent(list, 1'],
    ['messages without the id of their call', 'tool_call_id: id', "tool_call_id: 'call'"],
  ]),
  ...inFile('src/tools/model-text.ts', [
    ['the model does not learn what was repaired', 'notes.length === 0 ? value : { result: value, ...note }', 'value'],
    ['base64 for the model', 'readable.content.map(describeBlock)', 'readable.content'],
    ['a cut within a character', 'splitsPair ? maxChars - 1 : maxChars', 'maxChars'],
    ['invisible characters for the model', "typeof value === 'string' ? readableText(value) : readableJson(value, json)", 'value'],
    ['a text result in quotation marks', "typeof value === 'string' ? value : writeJson(value)", 'writeJson(value)'],
  ]),
  ...inFile('src/tools/search-arguments.ts', [
    ['a limit beyond 50', 'Math.min(wanted, MAX_LIMIT)', 'wanted'],
    ['a limit as a text', 'limit: Math.min(wanted, MAX_LIMIT)', 'limit: limit as number'],
  ]),
  ...inFile('src/tools/static-tools.ts', [
    ['static tools in any order', '.sort((a, b) => (a.action < b.action ? -1 : 1))', ''],
    ['only the first page', 'if (cursor === undefined) return actions;', 'return actions;'],
    ['a missing action is not noticed', 'if (missing.length === 0) return actions;', 'return actions;'],
  ]),
  ...inFile('src/tools/describe-action.ts', [
    ['a paid tool without its price', 'if (!payment) return description;', 'return description;'],
  ]),
  ...inFile('src/tools/definitions.ts', [['another word in a definition', 'At most 50; default 10', 'At most 50; default: 10']]),

  ...inFile('src/toolkit/service-connection.ts', [
    ['no key on the socket', '{ authorization: `Bearer', '{ nothing: `Bearer'],
    ['the key in the URL of the socket', 'new Socket(url, {', "new Socket(url + '?key=' + apiKey, {"],
    ['compression is offered', 'perMessageDeflate: false', 'perMessageDeflate: true'],
    ['frames of at most 1 MiB', 'MAX_FRAME_BYTES = 16 * 1024 * 1024', 'MAX_FRAME_BYTES = 1024 * 1024'],
    ['a foreign method is not answered', 'else this.#answerUnknown(frame.id, frame.method);', ''],
    [
      'a foreign notification is answered',
      'if (frame.method === METHODS.cancel) this.#listener.cancel(frame.params);',
      "if (frame.method === METHODS.cancel) this.#listener.cancel(frame.params); else if (frame.method === 'applause') this.#answerUnknown('', frame.method);",
    ],
    ['foreign frames for ever', 'MAX_MALFORMED_FRAMES = 3', 'MAX_MALFORMED_FRAMES = 300'],
    ['the first foreign frame closes', 'MAX_MALFORMED_FRAMES = 3', 'MAX_MALFORMED_FRAMES = 1'],
    ['1001 at the end', 'close(code: number = CLOSE_CODES.normal)', 'close(code: number = CLOSE_CODES.goingAway)'],
  ]),
  ...inFile('src/toolkit/service-link.ts', [
    ['a reconnect is ignored', '&& withinMs >= 0) this.#move.begin(withinMs)', '&& withinMs < 0) this.#move.begin(withinMs)'],
    [
      'the old socket is left before the new one is open',
      '&& withinMs >= 0) this.#move.begin(withinMs)',
      '&& withinMs >= 0) this.#connection?.close()',
    ],
    ['the old socket stays open after a move', 'this.#connection?.retire();', ''],
  ]),
  ...inFile('src/toolkit/fault.ts', [
    ['it returns after 401 and 403', 'const final = status === 401 || status === 403', 'const final = false'],
    ['it returns after 4401', 'final: true,', 'final: false,'],
    [
      'it stays away after 4409',
      'frameTooLarge: code === MESSAGE_TOO_BIG',
      'frameTooLarge: code === MESSAGE_TOO_BIG, final: code === 4409',
    ],
    [
      'it stays away after 1000',
      'frameTooLarge: code === MESSAGE_TOO_BIG',
      'frameTooLarge: code === MESSAGE_TOO_BIG, final: code === 1000',
    ],
    ['it stays away after 503', 'const final = status === 401 || status === 403', 'const final = true'],
  ]),
  ...inFile('src/toolkit/registrar.ts', [
    ['another instance for each connection', 'instance: this.#instance,', 'instance: crypto.randomUUID(),'],
    ['no name and no description', '...(details.current && { toolkit: details.current }),', ''],
    ['unfinished is empty', 'unfinished: invocations.unfinished(),', 'unfinished: [],'],
    ['connections are not counted', 'connection: this.#connections,', ''],
  ]),
  ...inFile('src/toolkit/list-registration.ts', [
    ['a refused part of a list is ignored', 'this.#refusedPart ??= answer.error', 'void 0'],
    ['a list that the service has forgotten is not sent', "code === 'LIST_NOT_FOUND'", "code === 'NOTHING'"],
    ['a service without lists gets no actions', "code === 'INVALID_REQUEST'", "code === 'NOTHING'"],
    ['the change of a list does not say what it changes', 'base: base.id, ', ''],
    ['removed actions stay in the list', 'remove: this.#list.removedSince(base)', 'remove: []'],
  ]),
  ...inFile('src/toolkit/action-list.ts', [
    ['a long list in one frame', 'room = MAX_FRAME_CHARS;', 'room = Number.POSITIVE_INFINITY;'],
    ['a change sends the whole list', 'base && base.#texts.get(name) === text', 'false'],
    ['another name for the same list', 'sha256(this.json) ?? ', ''],
  ]),
  ...inFile('src/toolkit/registration.ts', [['protocol 2', 'protocol: PROTOCOL_VERSION,', 'protocol: 2,']]),
  ...inFile('src/toolkit/invocations.ts', [
    [
      'running calls are not in unfinished',
      '[...this.#known.keys()]',
      '[...this.#known.values()].filter(({ outcome }) => outcome !== undefined).map(({ id }) => id)',
    ],
    [
      'a call that comes again while it runs is run again',
      "if (known) this.#deliverAs(known, 'answer')",
      "if (known?.outcome !== undefined) this.#deliverAs(known, 'answer')",
    ],
    ['a call that comes again after its end is run again', 'else if (this.#endedIds.get(id))', 'else if (false)'],
    ['a result that is not awaited is sent', 'if (awaited.has(invocation.id))', "if (awaited.has('') || true)"],
    [
      'a result is forgotten when it is sent',
      'this.#port.send(frame);\n  }',
      'this.#port.send(frame);\n    this.#forget(invocation);\n  }',
    ],
    ['an action without a connection needs one', 'action.needsConnection && this', 'this'],
    ['a result is forgotten without an answer', "if (answer.kind === 'lost') return;", ''],
    [
      'progress is a request',
      "{ jsonrpc: '2.0', method: METHODS.progress, params }",
      "{ jsonrpc: '2.0', id: 999, method: METHODS.progress, params }",
    ],
    ['one call at a time', 'this.#running >= this.#concurrency', 'this.#running >= 1'],
    ['more calls than the concurrency', 'if (this.#running >= this.#concurrency) return;', ''],
    ['a late result is a plain answer', "invocation.delivery = 'unclear'", "invocation.delivery = 'answer'"],
    ['answers without jsonrpc', '`{"jsonrpc":"2.0","id"', '`{"id"'],
    ["the caller's idempotency key is ignored", "typeof idempotencyKey === 'string' && idempotencyKey ? idempotencyKey : id", 'id'],
    ['the attempt is ignored', 'Number.isInteger(attempt) ? (attempt as number) : 1', '1'],
    [
      'a cancelled call that waits is run',
      'if (this.#waiting.delete(invocation)) this.#endUnstarted(invocation, timedOut ?',
      'if (false) this.#endUnstarted(invocation, timedOut ?',
    ],
  ]),
  ...inFile('src/toolkit/action-connection.ts', [
    ['a connection of an unknown type', 'return isWhole ?', 'return true ?'],
    ['Bearer for each type', "if (frame.type === 'basic') return", "if (frame.type === 'basic' && false) return"],
    ['an API key of the query as a header', "return frame.in === 'header' ?", 'return true ?'],
    ['the refused connection stays', 'this.#frame = await this.#renew();', 'await this.#renew();'],
    ['the secret is printed', 'toString(): string {', 'toString(): string {\n    if (this.#frame.token) return this.#frame.token;'],
  ]),
  ...inFile('src/toolkit/invocation.ts', [
    ['an absent payload is not {}', 'payload ?? {}', 'payload'],
    ['a deadline without a cancel passes unnoticed', 'else if (this.outcome === undefined) this.#abortAtDeadline();', ''],
  ]),
  ...inFile('src/toolkit/run-action.ts', [
    ['a charge is lost', 'if (charged !== undefined) outcome +=', 'if (false) outcome +='],
    ['images and files are lost', 'if (content) outcome +=', 'if (false) outcome +='],
    [
      'a result beyond a frame is sent',
      'return isTooLarge(outcome) ? tooLargeOutcome(Buffer.byteLength(outcome)) : outcome;',
      'return outcome;',
    ],
    ['an unknown outcome is a plain failure', 'FRAME_ERRORS.outcomeUnknown', 'FRAME_ERRORS.failed'],
  ]),
  ...inFile('src/toolkit/frame-error.ts', [
    ['another code for the error of a handler', 'code: FRAME_ERRORS.failed,', 'code: -32603,'],
    ["the handler's own code is lost", 'data: { code: codeOf(thrown),', "data: { code: 'HANDLER_THREW',"],
    ['CONNECTION_REQUIRED of another service ends the call', " && thrown.code !== 'CONNECTION_REQUIRED' ?", ' ?'],
  ]),
  ...inFile('src/toolkit/confirmations.ts', [
    ['heartbeats in a time of its own', 'new Heartbeat(heartbeatMs, {', 'new Heartbeat(15_000, {'],
    ['a heartbeat without an answer changes nothing', 'lost: () => connection?.cutOff(', 'lost: () => String('],
    ['heartbeats confirm nothing', 'this.#invocations.confirm(sent);', ''],
  ]),
  ...inFile('src/toolkit/shutdown.ts', [
    ['a stop does not wait for the handlers', '    this.drain();\n    this.advance();', '    this.#port.end();'],
  ]),
  ...inFile('src/toolkit/details-updates.ts', [
    ['new words are forgotten at the next connection', 'this.#accepted = { ...this.#accepted, ...update.details };', ''],
    ['a toolkit runs without the connection that it needs', 'return Boolean(auth);', 'return false;'],
  ]),
  ...inFile('src/toolkit/toolkit-session.ts', [
    ['no drain', 'drain: (drained: () => void) => this.#drain(drained),', 'drain: (drained: () => void) => drained(),'],
    ['no drain after a new connection', 'if (this.#shutdown.begun) this.#shutdown.drain();', 'if (this.#shutdown.begun) return;'],
    ['a cancel is ignored', 'cancel: (params) => this.#invocations.cancel(params),', 'cancel: () => {},'],
    ['no heartbeats', 'this.#confirmations.start(this.#link.connection, heartbeatMs);', ''],
    ['a rejected action is not noticed', '&& this.#failsOnRejected)', '&& false)'],
    [
      'a rejected action ends a toolkit that served',
      '!this.#state.registration && result.rejected.length > 0',
      'result.rejected.length > 0',
    ],
    ['a registration that is refused for a while ends the toolkit', 'registration || error.retryable', 'registration'],
    ['after 1009 the same result again', 'if (frameTooLarge) this.#invocations.replaceLargest();', ''],
  ]),
  ...inFile('src/protocol/usage.ts', [
    ['a longer Svc-Usage is read', 'MAX_USAGE_CHARS = 1_024', 'MAX_USAGE_CHARS = 2_048'],
    ['nine reports of tokens are read', 'MAX_USAGE_REPORTS = 8', 'MAX_USAGE_REPORTS = 9'],
    ['the name of a model without its escapes', "model.replace(/[\"\\\\]/g, '\\\\$&')", 'model'],
    ['another name for the tokens of the input', ';input=$', ';in=$'],
    ['an id of a report with 65 characters', '{1,64}$/', '+$/'],
    ['no cached tokens are unknown ones', "cachedTokens === undefined ? ''", "!cachedTokens ? ''"],
    ['more cached tokens than tokens', 'if (cachedTokens > inputTokens) throw', 'if (false) throw'],
    ['the first of two parameters counts', 'parameters.set(name,', 'parameters.has(name) || parameters.set(name,'],
    ['a comma at the end of Svc-Usage', ' || reports.length > 0', ''],
    ['a parameter in capitals', '[a-z*][a-z0-9_.*-]*', '[A-Za-z*][A-Za-z0-9_.*-]*'],
  ]),
  ...inFile('src/protocol/toolkit-profile.ts', [
    ['characters of a README in place of its bytes', 'new TextEncoder().encode(text).length', 'text.length'],
    ['the type of an icon is the one that it names', 'if (type === named) return undefined;', 'return undefined;'],
    ['an icon without a limit', 'if (size > MAX_ICON_BYTES)', 'if (false)'],
    ['an icon of any text', "data === '' || !isBase64(data)", "data === ''"],
    ['a homepage that is a script', '!url || !/^https?:\\/\\//i.test(text)', '!url'],
    ['a homepage with a password', 'return url.username || url.password ?', 'return false ?'],
    ['UTF-16 units of a version', '= [...text];', '= text;'],
    ['a control character in a version', 'return characterProblem(text, /\\p{Cc}/u);', 'return undefined;'],
  ]),
];

export function mutationCalled(name: string): Mutation {
  const mutation = MUTATIONS.find((candidate) => candidate.name === name);
  if (!mutation) throw new Error(`There is no mutation ${JSON.stringify(name)}`);
  return mutation;
}

/** The source with the mistake in it. */
export function mutate({ name, file, before, after }: Mutation, source: string): string {
  const places = source.split(before).length - 1;
  if (places !== 1) throw new Error(`${name}: ${file} has this text ${places} times, not once: ${before}`);
  return source.replace(before, () => after);
}

function inFile(file: string, changes: [name: string, before: string, after: string][]): Mutation[] {
  return changes.map(([name, before, after]) => ({ name, file, before, after }));
}

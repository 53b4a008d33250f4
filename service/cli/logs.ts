/** `svc-service logs`: prints the calls of a running service from its admin API, and follows later ones as they end. */
import type { Command } from 'commander';
import { SvcError } from 'svc-sdk';
import { adminService } from '#sdk/cli/environment';
import { notEmpty, wholeNumberFrom } from '#sdk/cli/options';
import { type PageFlags, readPages } from '#sdk/cli/pages';
import { type ServiceAddress, serviceRequest, serviceStream } from '#sdk/cli/service-request';
import type { Terminal } from '#sdk/cli/terminal';
import { ADMIN_PATHS, type ChangeEvent, type InvocationInfo, type InvocationsPage } from '#sdk/protocol/admin';
import { readEvents } from '#sdk/protocol/sse';
import { CallLines } from './logs/call-lines';

interface LogsFlags extends Filter {
  url?: string;
  limit: number;
  follow?: true;
}

interface Filter {
  toolkit?: string | undefined;
  action?: string | undefined;
  key?: string | undefined;
  outcome?: string | undefined;
  session?: string | undefined;
  user?: string | undefined;
}

/** A call is stored shortly after its start, so later reads overlap by this time. */
const OVERLAP_MS = 10_000;
/** Running calls that the first read waits for. */
const MOST_RUNNING = 200;

export function addLogsCommand(program: Command, terminal: Terminal): void {
  program
    .command('logs')
    .description('Show the latest calls of a running service, oldest first (SVC_BASE_URL, SVC_ADMIN_API_KEY)')
    .option('-f, --follow', 'go on with the calls that end from now on, until Ctrl-C')
    .option('--limit <n>', 'how many at first, 1 to 200', wholeNumberFrom(1, 200), 20)
    .option('--toolkit <id>', 'only calls of this toolkit', notEmpty())
    .option('--action <id>', 'only calls of this action', notEmpty())
    .option('--key <id>', 'only calls with this agent key', notEmpty())
    .option('--outcome <what>', 'only calls that ended so: ok, error, or a code such as ACTION_FAILED', notEmpty())
    .option('--session <id>', 'only calls of this session', notEmpty())
    .option('--user <id>', 'only calls for this end user', notEmpty())
    .option('--url <url>', 'the service (default: SVC_BASE_URL)')
    .addHelpText(
      'after',
      `
A call a line: when it started, what was called, how it ended, how long it took,
with which key; in columns on a terminal. With --json, a JSON object a line. In
the folder of svc-service dev, it needs no variables.`,
    )
    .action((flags: LogsFlags) => logs(terminal, flags));
}

async function logs(terminal: Terminal, { url, limit, follow, toolkit, action, key, outcome, session, user }: LogsFlags): Promise<void> {
  const service = adminService(url);
  const feed = new CallFeed(service, { toolkit, action, key, outcome, session, user });
  const showCalls = printer(terminal);
  if (!follow) return showCalls(await feed.latest(limit));
  const stop = new AbortController();
  void terminal.unread().then(() => stop.abort());
  try {
    // Opened first, so that it announces changes during the first read.
    const events = readEvents(await serviceStream(service, ADMIN_PATHS.events, stop.signal));
    showCalls(await feed.latest(limit));
    for await (const { event, data } of events) {
      const changed = event === 'change' && (JSON.parse(data) as ChangeEvent).changed.includes('invocations');
      if (changed) showCalls(await feed.ended());
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  if (!stop.signal.aborted)
    throw new SvcError('SERVICE_UNREACHABLE', `${service.url} ended the stream; run the command again when it is back`);
}

function printer(terminal: Terminal): (calls: readonly InvocationInfo[]) => void {
  const lines = new CallLines(() => (terminal.isRead ? terminal.columns : undefined));
  return (calls) => {
    for (const [index, line] of lines.of(calls).entries()) terminal.showEvent(calls[index], line);
  };
}

/** Yields each call once, after its end, in order of the starts. */
class CallFeed {
  readonly #service: ServiceAddress;
  readonly #filter: Filter;
  /** Ids of returned calls that may be listed again. */
  #given = new Set<string>();
  #running = new Set<string>();
  #latestMs = Date.now();

  constructor(service: ServiceAddress, filter: Filter) {
    this.#service = service;
    this.#filter = filter;
  }

  async latest(limit: number): Promise<InvocationInfo[]> {
    const calls = await this.#list({ ...this.#filter }, { limit });
    for (const { id } of await this.#list({ ...this.#filter, outcome: 'running' }, { limit: MOST_RUNNING })) this.#running.add(id);
    this.#settle(calls);
    return calls.reverse();
  }

  /** Calls that have ended since the last read. */
  async ended(): Promise<InvocationInfo[]> {
    const { outcome, ...filter } = this.#filter;
    const from = new Date(this.#latestMs - OVERLAP_MS).toISOString();
    const listed = await this.#list({ ...filter, from }, { all: true });
    const known = new Set(listed.map(({ id }) => id));
    const earlier = await Promise.all([...this.#running].filter((id) => !known.has(id)).map((id) => this.#one(id)));
    const fresh = [...listed, ...earlier].filter((call) => call.code !== undefined && !this.#given.has(call.id));
    this.#settle(listed);
    for (const { id } of fresh) this.#running.delete(id);
    return fresh.filter((call) => isOutcome(call, outcome)).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  }

  async #list(query: Record<string, string | undefined>, page: PageFlags): Promise<InvocationInfo[]> {
    const itemsOf = ({ invocations }: InvocationsPage) => invocations;
    return (await readPages(this.#service, { path: ADMIN_PATHS.invocations, query, itemsOf }, page)).items;
  }

  #one(id: string): Promise<InvocationInfo> {
    return serviceRequest(this.#service, 'GET', `${ADMIN_PATHS.invocations}/${id}`);
  }

  #settle(calls: readonly InvocationInfo[]): void {
    this.#given = new Set(calls.filter(({ code }) => code !== undefined).map(({ id }) => id));
    for (const { id, code } of calls) if (code === undefined) this.#running.add(id);
    this.#latestMs = Math.max(this.#latestMs, ...calls.map(({ startedAt }) => Date.parse(startedAt)));
  }
}

function isOutcome({ code }: InvocationInfo, outcome: string | undefined): boolean {
  if (outcome === undefined) return true;
  return outcome.toLowerCase() === 'error' ? code !== 'OK' : code === outcome.toUpperCase();
}

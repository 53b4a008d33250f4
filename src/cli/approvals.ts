/** `svc-sdk approvals`: calls that a person has to decide about. With an admin key, or with the agent key of an app that decides for its user. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { ApprovalDetails, ApprovalsPage } from '../protocol/approval-schemas';
import { APPROVAL_STATUSES, type ApprovalInfo, type DecideRequest } from '../protocol/approvals';
import { type ActionAnnotations, PATHS } from '../protocol/http';
import { printableJson } from '../protocol/invisible-text';
import { askAtTerminal, isInteractive } from './ask-at-terminal';
import { adminService, agentService } from './environment';
import { type Line, oneLine, styled } from './line';
import { notEmpty, wholeNumberFrom } from './options';
import { addPageFlags, noteMore, type PageFlags, readPages } from './pages';
import { type ServiceAddress, serviceRequest } from './service-request';
import type { Terminal } from './terminal';

interface ListFlags extends PageFlags {
  status?: string;
  key?: string;
}

interface DecideFlags {
  reason?: string;
  session?: number;
}

const HEAD = ['id', 'status', 'action', 'key', 'user', 'asked'];
const ID = ['<id>', 'apr_…, from approvals list'] as const;
const MOST_SESSION_MINUTES = 1_440;
const WATCH_MS = 1_000;

export function addApprovalsCommand(program: Command, terminal: Terminal): void {
  const approvals = program
    .command('approvals')
    .description('Calls of a running service that wait for a person (SVC_BASE_URL, SVC_ADMIN_API_KEY)');
  const list = approvals
    .command('list')
    .description('List them, newest first')
    .addOption(new Option('--status <status>', 'only these (default: all of the last day)').choices(APPROVAL_STATUSES))
    .option('--key <id>', 'only calls with this agent key', notEmpty());
  addPageFlags(list).action((flags: ListFlags) => listApprovals(terminal, flags));
  approvals
    .command('show')
    .description('Show a call with its whole payload, and what the action did before')
    .argument(...ID)
    .action((id: string) => showApproval(terminal, id));
  approvals
    .command('approve')
    .description('Approve a call: it runs once. Where the app decides, also with its key (SVC_AGENT_API_KEY)')
    .argument(...ID)
    .option('--reason <text>', 'the agent reads it', notEmpty())
    .option('--session <minutes>', 'also later calls of the action in the same session', wholeNumberFrom(1, MOST_SESSION_MINUTES))
    .action((id: string, { reason, session }: DecideFlags) => decide(terminal, id, { decision: 'approve', ...more(reason, session) }));
  approvals
    .command('deny')
    .description('Deny a call: it does not run, and the same call is refused for ten minutes')
    .argument(...ID)
    .option('--reason <text>', 'the agent reads it', notEmpty())
    .action((id: string, { reason }: DecideFlags) => decide(terminal, id, { decision: 'deny', ...more(reason) }));
  approvals
    .command('watch')
    .description('Show each new call until Ctrl-C; in a terminal, ask for the decision')
    .action(() => watch(terminal));
}

function more(reason: string | undefined, sessionMinutes?: number): Omit<DecideRequest, 'decision'> {
  return { ...(reason !== undefined && { reason }), ...(sessionMinutes !== undefined && { sessionSeconds: sessionMinutes * 60 }) };
}

/** An app decides with its own key: that counts where no admin key is set. */
function decider(): ServiceAddress {
  return !process.env.SVC_ADMIN_API_KEY && process.env.SVC_AGENT_API_KEY ? agentService() : adminService();
}

async function listApprovals(terminal: Terminal, { status, key, ...page }: ListFlags): Promise<void> {
  const { items, nextCursor } = await readPages(
    adminService(),
    { path: PATHS.approvals, query: { status, key }, itemsOf: (some: ApprovalsPage): ApprovalInfo[] => some.approvals },
    page,
  );
  const rows = items.map((item) => [item.id, item.status, item.action, oneLine(item.key.name), oneLine(item.user ?? ''), item.createdAt]);
  terminal.showList({ approvals: items, nextCursor }, [HEAD, ...rows], { whenEmpty: 'No call waits for a person', cut: [3, 4] });
  noteMore(terminal, nextCursor);
}

async function showApproval(terminal: Terminal, id: string): Promise<void> {
  const approval = await detailsOf(adminService(), id);
  terminal.show(approval, detailsText(approval));
}

async function decide(terminal: Terminal, id: string, request: DecideRequest, service = decider()): Promise<void> {
  const decided = await serviceRequest<ApprovalInfo>(service, 'POST', pathOf(id), request);
  terminal.show(decided, request.decision === 'approve' ? `${id} is approved: ${decided.action} runs` : `${id} is denied`);
}

async function watch(terminal: Terminal): Promise<void> {
  const service = adminService();
  const stop = new AbortController();
  const stopped = terminal.unread().then(() => stop.abort());
  const shown = new Set<string>();
  terminal.note('Waiting for calls that need a decision, until Ctrl-C');
  try {
    while (!stop.signal.aborted) {
      const { items } = await readPages(
        service,
        { path: PATHS.approvals, query: { status: 'pending' }, itemsOf: ({ approvals }: ApprovalsPage) => approvals },
        { all: true },
      );
      for (const { id } of items.toReversed()) {
        if (shown.has(id)) continue;
        shown.add(id);
        await show(terminal, service, id, stop.signal);
      }
      await delay(WATCH_MS, undefined, { signal: stop.signal });
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  await stopped;
}

async function show(terminal: Terminal, service: ServiceAddress, id: string, signal: AbortSignal): Promise<void> {
  const approval = await detailsOf(service, id);
  terminal.showEvent(approval, detailsText(approval));
  if (terminal.json || !isInteractive(terminal)) return;
  const answer = await askAtTerminal(terminal, `Approve ${id}? [y: approve, n: deny, else: later]`, signal);
  const decision = /^y(es)?$/i.test(answer) ? 'approve' : /^n(o)?$/i.test(answer) ? 'deny' : undefined;
  if (decision === undefined) return;
  try {
    await decide(terminal, id, { decision }, service);
  } catch (error) {
    // Another person was faster.
    terminal.note(error instanceof Error ? error.message : String(error));
  }
}

function detailsOf(service: ServiceAddress, id: string): Promise<ApprovalDetails> {
  return serviceRequest(service, 'GET', pathOf(id));
}

function pathOf(id: string): string {
  return `${PATHS.approvals}/${encodeURIComponent(id)}`;
}

function detailsText({
  id,
  status,
  action,
  key,
  user,
  session,
  payload,
  payment,
  account,
  offered,
  history,
  ...rest
}: ApprovalDetails): Line {
  const facts = [
    ['status', status],
    ['asked by', [key.name, user && `for ${user}`, session && `in session ${session}`].filter(Boolean).join(' ')],
    ['app', rest.ask.app],
    ['does', offered?.description],
    ['hints', hintsOf(offered?.annotations)],
    ['costs', payment && `at most ${payment.amount} ${payment.currency}`],
    ['account', account],
    ['before', `${history.calls} calls in 30 days, ${history.failed} failed`],
    ['until', rest.expiresAt],
    ['decided', rest.decidedByName && `by ${rest.decidedByName} at ${rest.decidedAt}`],
    ['reason', rest.reason],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]));
  const lines = facts.map(([name, value]) => `${name.padEnd(9)} ${oneLine(value)}`);
  const json = payload === undefined ? '' : `\n${printableJson(JSON.stringify(payload, null, 2))}`;
  return [styled('bold', `${action}  ${id}`), `\n${lines.join('\n')}${json}`];
}

/** The hints that the action declares to have. Undefined without any. */
function hintsOf(annotations: ActionAnnotations = {}): string | undefined {
  const hints = Object.entries(annotations).flatMap(([hint, has]) => (has ? [hint] : []));
  return hints.length > 0 ? hints.join(', ') : undefined;
}

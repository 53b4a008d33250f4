/** Every query that a page of the console sends to the store. */
import { TopLists } from '../../service/src/http/admin/top-lists.ts';
import type { CountDimension, InvocationFilter } from '../../service/src/store/console-store.ts';
import type { SessionListQuery } from '../../service/src/store/session-store.ts';
import type { Store } from '../../service/src/store/store.ts';
import { actionId, END, keyId, START, TOOLKITS, toolkitId, userId } from './synthetic.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const PAGE = 50;
const DEEP = 100;

export type Question = (store: Store) => Promise<unknown>;

const COMMON = { agentKeyIds: [keyId(0)], toolkits: [toolkitId(0)], actions: [actionId(0)] };
const RARE = { agentKeyIds: [keyId(99)], toolkits: [toolkitId(39)], actions: [actionId(999)] };
const MINE = { agentKeyIds: [keyId(50), keyId(51)], toolkits: [toolkitId(20), toolkitId(21)] };

const FILTERS: Record<string, InvocationFilter> = {
  'no filter': {},
  'common key': pick(COMMON, 'agentKeyIds'),
  'rare key': pick(RARE, 'agentKeyIds'),
  'common toolkit': pick(COMMON, 'toolkits'),
  'rare toolkit': pick(RARE, 'toolkits'),
  'common action': pick(COMMON, 'actions'),
  'rare action': pick(RARE, 'actions'),
  ok: { outcome: 'ok' },
  errors: { outcome: 'error' },
  'common code': { outcome: 'ACTION_FAILED' },
  'rare code': { outcome: 'QUEUE_FULL' },
  'code that never was': { outcome: 'RATE_LIMITED' },
  running: { outcome: 'running' },
  'an hour': { from: END - 50 * HOUR_MS, to: END - 49 * HOUR_MS },
  'common key, common toolkit': { ...pick(COMMON, 'agentKeyIds'), ...pick(COMMON, 'toolkits') },
  'common key, common action': { ...pick(COMMON, 'agentKeyIds'), ...pick(COMMON, 'actions') },
  'common key, rare action': { ...pick(COMMON, 'agentKeyIds'), ...pick(RARE, 'actions') },
  'rare key, common action': { ...pick(RARE, 'agentKeyIds'), ...pick(COMMON, 'actions') },
  'rare key, rare toolkit': { ...pick(RARE, 'agentKeyIds'), ...pick(RARE, 'toolkits') },
  'common key, errors': { ...pick(COMMON, 'agentKeyIds'), outcome: 'error' },
  'rare key, errors': { ...pick(RARE, 'agentKeyIds'), outcome: 'error' },
  'rare toolkit, rare code': { ...pick(RARE, 'toolkits'), outcome: 'QUEUE_FULL' },
  'common toolkit, errors, an hour': { ...pick(COMMON, 'toolkits'), outcome: 'error', from: END - 50 * HOUR_MS, to: END - 49 * HOUR_MS },
  'common key and toolkit, rare code': { ...pick(COMMON, 'agentKeyIds'), ...pick(COMMON, 'toolkits'), outcome: 'QUEUE_FULL' },
  'common key, the first day': { ...pick(COMMON, 'agentKeyIds'), to: START + DAY_MS },
  'common key and action, a moment': { agentKeyIds: [keyId(0)], actions: [actionId(0)], from: START, to: START + 1 },
  'seen by a member': { visible: MINE },
  'seen by a member, errors': { visible: MINE, outcome: 'error' },
  'seen by a member, common key': { visible: MINE, ...pick(COMMON, 'agentKeyIds') },
  'seen by a member, common toolkit': { visible: MINE, ...pick(COMMON, 'toolkits') },
  'seen by a member, own toolkit': { visible: MINE, toolkits: [toolkitId(20)] },
};

const SPANS = { '24 h': DAY_MS, '7 d': 7 * DAY_MS, '30 d': 30 * DAY_MS };
const SERIES: [CountDimension, string[]][] = [
  ['all', ['']],
  ['toolkit', COMMON.toolkits],
  ['action', COMMON.actions],
  ['key', COMMON.agentKeyIds],
];

export function questions(): Map<string, Question> {
  const all = new Map<string, Question>();
  for (const [name, filter] of Object.entries(FILTERS)) {
    all.set(`list: ${name}`, ({ invocations }) => invocations.list({ ...filter, limit: PAGE }));
  }
  for (const name of ['no filter', 'common key', 'common toolkit', 'errors'] as const)
    all.set(`list, page ${DEEP}: ${name}`, deepPage(name));
  const ids = Array.from({ length: 100 }, (_, number) => keyId(number));
  all.set('last calls of 100 keys', ({ invocations }) => invocations.lastCalls(ids));
  for (const [span, ms] of Object.entries(SPANS)) {
    const times = { step: 3_600, from: END - ms, to: END } as const;
    for (const [dimension, names] of SERIES)
      all.set(`series ${span}: ${dimension}`, ({ counts }) => counts.series({ ...times, dimension, names }));
    const step = ms > 2 * DAY_MS ? 86_400 : 3_600;
    for (const dimension of ['action', 'key', 'toolkit'] as const) {
      for (const order of ['calls', 'errors', 'slowest'] as const) {
        // A new span each time, which has no sums yet.
        const top: Question = ({ counts }) => new TopLists(counts).list({ ...times, step, dimension, order, limit: 6, sees: () => true });
        all.set(`top ${span}: ${dimension}, ${order}`, top);
      }
    }
  }
  all.set('series 6 h by the minute: all', ({ counts }) =>
    counts.series({ dimension: 'all', names: [''], step: 60, from: END - 6 * HOUR_MS, to: END }),
  );
  const page = { limit: PAGE, offset: 0 };
  all.set('searches', ({ searches }) => searches.list({ ...page, unmet: false }));
  all.set('searches that were not met', ({ searches }) => searches.list({ ...page, unmet: true }));
  all.set('searches that showed an action', ({ searches }) => searches.list({ ...page, unmet: false, actions: COMMON.actions }));
  addToolkitQuestions(all);
  addConversationQuestions(all);
  return all;
}

/** The pages of toolkits, the catalogue, and the alerts of a minute. */
function addToolkitQuestions(all: Map<string, Question>): void {
  for (const [name, toolkit] of Object.entries({ common: toolkitId(0), rare: toolkitId(39) })) {
    const from = END - 7 * DAY_MS;
    all.set(`callers of 7 d: ${name} toolkit`, ({ invocations }) =>
      invocations.callers({ toolkitId: toolkit, from, recentFrom: END - DAY_MS, limit: 100, mostCalls: 50_000 }),
    );
    all.set(`own errors of 7 d: ${name} toolkit`, ({ invocations }) => invocations.toolkitErrors(toolkit, from));
    all.set(`catalogue, days: ${name} toolkit`, ({ counts }) =>
      counts.series({ dimension: 'toolkit', names: [toolkit], step: 86_400, from: END - 90 * DAY_MS, to: END }),
    );
  }
  const month = { dimension: 'toolkit', step: 86_400, from: END - 30 * DAY_MS, to: END } as const;
  const names = Array.from({ length: TOOLKITS }, (_, number) => toolkitId(number));
  all.set('catalogue, uses of 30 d', ({ counts }) => counts.sums(month));
  all.set('catalogue, numbers of a page', ({ counts }) => counts.totals({ ...month, names }));
  const hours = { step: 3_600, from: END - 2 * HOUR_MS, to: END } as const;
  for (const dimension of ['toolkit', 'key'] as const)
    all.set(`alerts, error rate: ${dimension}`, ({ counts }) => counts.sums({ ...hours, dimension }));
  all.set('alerts, p95: toolkit', ({ counts }) => counts.totals({ ...hours, dimension: 'toolkit', names }));
}

const SESSIONS: Record<string, Partial<SessionListQuery>> = {
  newest: {},
  dearest: { sort: 'cost' },
  longest: { sort: 'duration' },
  'ended in an error': { outcome: 'endedInError' },
  'searched in vain': { inVain: true },
  'common key': pick(COMMON, 'agentKeyIds'),
  'part of an id': { text: '99-9' },
  'user with many': { userId: userId(0) },
};

function addConversationQuestions(all: Map<string, Question>): void {
  const first = { sort: 'lastActivity', order: 'desc', limit: PAGE } as const;
  for (const [name, query] of Object.entries(SESSIONS)) {
    all.set(`sessions: ${name}`, ({ sessionSums }) => sessionSums.list({ ...first, ...query }));
    all.set(`sessions of 24 h: ${name}`, ({ sessionSums }) => sessionSums.list({ ...first, ...query, from: END - DAY_MS }));
  }
  for (const sort of ['lastActivity', 'cost'] as const)
    all.set(`users: ${sort}`, ({ sessionSums }) => sessionSums.users({ ...first, sort }));
  all.set('users: common key', ({ sessionSums }) => sessionSums.users({ ...first, ...pick(COMMON, 'agentKeyIds') }));
  all.set('days of a user', ({ sessionSums }) => sessionSums.daysOf(userId(0)));
}

/** Queried once for its cursor, with one long page. */
function deepPage(name: keyof typeof FILTERS): Question {
  const cursors = new WeakMap<Store, Promise<string | undefined>>();
  return async (store) => {
    const filter = FILTERS[name] ?? {};
    const before = cursors.get(store) ?? store.invocations.list({ ...filter, limit: DEEP * PAGE }).then((calls) => calls.at(-1)?.id);
    cursors.set(store, before);
    return store.invocations.list({ ...filter, limit: PAGE, before: await before });
  };
}

function pick<T extends object, Name extends keyof T>(all: T, name: Name): Pick<T, Name> {
  return { [name]: all[name] } as Pick<T, Name>;
}

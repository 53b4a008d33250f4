/**
 * Counts what rules would have done to calls of the last days, over their records: with the present actions and defaults, and with the kept payloads.
 *
 * Bounds: the newest 20,000 calls, and ten seconds. The work shares the event loop, and reads payloads only of calls about which they decide.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { RulePreview } from '#sdk/protocol/rule-preview-schemas';
import type { Rule } from '#sdk/protocol/rules';
import type { Catalog } from '../../catalog/catalog';
import { EventLoopBudget } from '../../lib/event-loop-budget';
import { toTime } from '../../lib/to-time';
import { DAY_MS } from '../../lib/utc-day';
import { toKeptContent } from '../../records/content';
import type { Records } from '../../records/records';
import type { Verdict } from '../../rules/call-rules';
import type { RuleFacts } from '../../rules/compiled-rule';
import type { Rules } from '../../rules/rules';
import type { InvocationRecord, Store } from '../../store/store';

const MAX_CALLS = 20_000;
const MAX_MS = 10_000;
const CALLS_PER_PAGE = 500;
const MAX_EXAMPLES = 10;
const REDACTED = '"[redacted]"';

export interface RulePreviewDeps {
  store: { invocations: Pick<Store['invocations'], 'list' | 'payloads'> };
  catalog: Pick<Catalog, 'action'>;
  rules: Pick<Rules, 'estimate'>;
  records: { sessions: Pick<Records['sessions'], 'ofCalls' | 'write'> };
}

export interface RulePreviewQuery {
  rules: Rule[];
  /** Undefined: of all keys. */
  agentKeyIds: readonly string[] | undefined;
  days: number;
}

export async function previewRules({ rules, agentKeyIds, days }: RulePreviewQuery, deps: RulePreviewDeps): Promise<RulePreview> {
  const { store, records } = deps;
  const tally = new Tally(rules);
  const budget = new EventLoopBudget();
  const endsAt = performance.now() + MAX_MS;
  const from = Date.now() - days * DAY_MS;
  await records.sessions.write();
  for (let before: string | undefined; ; ) {
    const page = await store.invocations.list({ agentKeyIds, from, before, limit: CALLS_PER_PAGE });
    await countPage(page, tally, deps, budget);
    before = page.at(-1)?.id;
    if (page.length < CALLS_PER_PAGE) return tally.result();
    if (tally.calls < MAX_CALLS && performance.now() < endsAt) continue;
    const more = await store.invocations.list({ agentKeyIds, from, before, limit: 1 });
    return { ...tally.result(), ...(more.length > 0 && { isPart: true }) };
  }
}

async function countPage(page: readonly InvocationRecord[], tally: Tally, deps: RulePreviewDeps, budget: EventLoopBudget): Promise<void> {
  const { store, catalog, rules, records } = deps;
  const callers = await records.sessions.ofCalls(page.map(({ id }) => id));
  const factsOf = ({ id, action }: InvocationRecord): RuleFacts => ({
    actionId: action,
    action: catalog.action(action),
    payload: undefined,
    userId: callers.get(id)?.userId,
  });
  const estimate = async (facts: RuleFacts) => {
    if (budget.isUsedUp) await budget.enter();
    return rules.estimate(tally.rules, facts);
  };
  const verdicts = new Map<string, Verdict>();
  const open: InvocationRecord[] = [];
  for (const record of page) {
    const verdict = await estimate(factsOf(record));
    if (verdict) verdicts.set(record.id, verdict);
    else open.push(record);
  }
  const payloads = await store.invocations.payloads(open.map(({ id }) => id));
  for (const record of open) {
    const payload = wholePayload(payloads.get(record.id));
    const verdict = payload && (await estimate({ ...factsOf(record), payload }));
    if (verdict) verdicts.set(record.id, verdict);
  }
  for (const record of page) tally.count(record, verdicts.get(record.id));
}

/** Undefined for a payload of which a part was not kept. */
function wholePayload(kept: string | undefined): JsonObject | undefined {
  if (kept === undefined || kept.includes(REDACTED)) return undefined;
  const content = toKeptContent(kept);
  const payload: unknown = 'json' in content && !content.cut ? JSON.parse(content.json) : undefined;
  return isObject(payload) ? payload : undefined;
}

class Tally {
  readonly rules: readonly Rule[];
  calls = 0;
  readonly #effects = { allow: 0, ask: 0, deny: 0, unknown: 0 };
  readonly #byRule: number[];
  readonly #examples: RulePreview['examples'] = [];

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
    this.#byRule = rules.map(() => 0);
  }

  count({ id, action, startedAt }: InvocationRecord, verdict: Verdict | undefined): void {
    this.calls++;
    this.#effects[verdict?.do ?? 'unknown']++;
    if (!verdict || verdict.do === 'allow') return;
    const index = verdict.rule ? this.rules.indexOf(verdict.rule) : -1;
    if (index >= 0) this.#byRule[index] = (this.#byRule[index] ?? 0) + 1;
    if (this.#examples.length < MAX_EXAMPLES)
      this.#examples.push({ invocationId: id, action, startedAt: toTime(startedAt), do: verdict.do, ...(index >= 0 && { index }) });
  }

  result(): RulePreview {
    const byRule = this.#byRule.map((calls, index) => ({ index, calls }));
    return { calls: this.calls, ...this.#effects, byRule, examples: this.#examples };
  }
}

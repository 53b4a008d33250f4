/** The scope of a key, as words and as editable rows, one per toolkit. */
import type { AllowList, KeyInfo } from '#sdk/protocol/http';
import { parseActionId } from '#sdk/protocol/ids';
import { formatPlural } from '../../parts/format';

/** A toolkit; without chosen actions all of them, also later ones. */
export interface ScopeRow {
  toolkit: string;
  actions: string[];
}

export function toRows({ toolkits, actions }: AllowList): ScopeRow[] {
  const rows = new Map(toolkits.map((toolkit) => [toolkit, [] as string[]]));
  for (const action of actions) {
    const toolkit = parseActionId(action)?.toolkitId;
    if (toolkit === undefined || toolkits.includes(toolkit)) continue;
    rows.set(toolkit, [...(rows.get(toolkit) ?? []), action]);
  }
  return [...rows].map(([toolkit, chosen]) => ({ toolkit, actions: chosen }));
}

export function toAllowList(rows: readonly ScopeRow[]): AllowList {
  return {
    toolkits: rows.filter(({ actions }) => actions.length === 0).map(({ toolkit }) => toolkit),
    actions: rows.flatMap(({ actions }) => actions),
  };
}

/** A short description: `Everything`, `weather`, `2 toolkits, 3 actions, 1 rule`. */
export function scopeWords({ kind, toolkit, allow, rules = [] }: Pick<KeyInfo, 'kind' | 'toolkit' | 'allow' | 'rules'>): string {
  if (kind === 'toolkit') return `Serves ${toolkit ?? 'a removed toolkit'}`;
  if (kind === 'admin') return 'The admin API';
  return [allowedWords(allow), rules.length > 0 && formatPlural(rules.length, 'rule')].filter(Boolean).join(', ');
}

function allowedWords(allow: AllowList | undefined): string {
  if (!allow) return 'All actions';
  const { toolkits, actions } = allow;
  const [only] = [...toolkits, ...actions];
  if (only === undefined) return 'Nothing';
  if (toolkits.length + actions.length === 1) return only;
  const parts = [
    toolkits.length > 0 && formatPlural(toolkits.length, 'toolkit'),
    actions.length > 0 && formatPlural(actions.length, 'action'),
  ];
  return parts.filter(Boolean).join(', ');
}

/**
 * Decides which of the found actions are shown in full, with one sentence, or by id alone, so that all of them fit into the budget.
 *
 * Shape:  ids come first, so that nothing that was found is lost; then schemas of the best few, then sentences, then more schemas, then types of
 *         results. The best action is always shown in full, with a shortened schema if it must be. One whose schema does not fit is only named.
 * Units:  tokens.
 */
import type { FoundAction, MoreAction } from '#sdk/protocol/http';
import type { ActionCard } from './action-card';
import { Form } from './form';

/** An action that is shown because another one mentions it. */
export interface RelatedAction {
  card: ActionCard;
  mentionedBy: string;
}

export interface TokenBudget {
  tokens: number;
  /** The budget of the first action, when it is more than the remaining one. */
  first: number;
}

/** Their schemas come before the sentences of the others. */
export const BEST = 3;

type AnyForm = Form<FoundAction> | Form<MoreAction>;

/** Forms are worked out only when there may be room for them. */
interface Line {
  shown: AnyForm;
  sentence(): Form<MoreAction>;
  /** Undefined for a related action, which is only named. */
  full?(): Form<FoundAction>;
  /** Ever shorter types of the result. */
  withResult?(form: Form<FoundAction>): Iterable<Form<FoundAction>>;
}

export function fillBudget(
  ranked: readonly ActionCard[],
  related: readonly RelatedAction[],
  budget: TokenBudget,
): { actions: Form<FoundAction>[]; more: Form<MoreAction>[] } {
  const [best, ...others] = ranked;
  if (!best) return { actions: [], more: [] };
  const lines: Line[] = [...others.map(rankedLine), ...related.map(relatedLine)];
  const filling = new Filling(budget.tokens - best.least.tokens, lines);
  const first: Line = { ...rankedLine(best), shown: filling.best(best, budget.first) };
  for (const line of lines.slice(0, BEST - 1)) filling.improve(line, line.full?.());
  for (const line of lines) if (!isFull(line.shown)) filling.improve(line, line.sentence());
  for (const line of lines) if (!isFull(line.shown)) filling.improve(line, line.full?.());
  for (const line of [first, ...lines]) if (isFull(line.shown)) filling.addResult(line, line.shown);
  const forms = [first, ...lines].map(({ shown }) => shown);
  return { actions: forms.filter(isFull), more: forms.filter((form): form is Form<MoreAction> => !isFull(form)) };
}

class Filling {
  #left: number;

  /** Takes from the end of `lines` what fits not even by id. */
  constructor(tokens: number, lines: Line[]) {
    this.#left = tokens - lines.reduce((sum, { shown }) => sum + shown.tokens, 0);
    while (this.#left < 0 && lines.length > 0) this.#left += lines.pop()?.shown.tokens ?? 0;
  }

  best(card: ActionCard, allowance: number): Form<FoundAction> {
    const room = this.#left + card.least.tokens;
    const form = this.#firstThatFits(card, room, allowance);
    this.#left = room - form.tokens;
    return form;
  }

  improve(line: Line, form: Line['shown'] | undefined): void {
    if (!form || form.tokens - line.shown.tokens > this.#left) return;
    this.#left -= form.tokens - line.shown.tokens;
    line.shown = form;
  }

  addResult(line: Line, shown: Form<FoundAction>): void {
    for (const form of line.withResult?.(shown) ?? []) {
      this.improve(line, form);
      if (line.shown === form) return;
    }
  }

  #firstThatFits(card: ActionCard, room: number, allowance: number): Form<FoundAction> {
    if (card.complete.tokens <= allowance) return card.complete;
    if (card.whole.tokens <= allowance) return card.whole;
    if (card.full.tokens <= Math.max(room, allowance)) return card.full;
    for (const form of card.shorter()) if (form.tokens <= Math.max(room, allowance)) return form;
    return card.least;
  }
}

function rankedLine(card: ActionCard): Line {
  return { shown: card.bare, sentence: () => card.sentence, full: () => card.full, withResult: (form) => card.withResult(form) };
}

function relatedLine({ card, mentionedBy }: RelatedAction): Line {
  const form = (info: MoreAction) => new Form({ ...info, mentionedBy });
  return { shown: form(card.bare.info), sentence: () => form(card.sentence.info) };
}

function isFull(form: AnyForm): form is Form<FoundAction> {
  return 'payloadSchema' in form.info;
}

/**
 * Actions that a model cannot tell apart: their descriptions begin with the same word and have nearly the same others, and what differs is not what
 * their names say.
 *
 * Shape:  sets of stems; alike is a Jaccard index of 0.8 and above. Only texts that share one of their rarest words are compared: sets that are so
 *         much alike cannot differ in all of them.
 * Source: the prefix filter of Bayardo, Ma and Srikant, "Scaling up all pairs similarity search" (2007).
 */
import type { ActionInfo } from '#sdk/protocol/http';
import { parseActionId } from '#sdk/protocol/ids';
import type { LintFinding } from '#sdk/protocol/lint';
import type { Steps } from '../../lib/steps';
import { stems } from '../search/tokenize';

const ALIKE = 0.8;
/** A longer description is compared by its beginning: by then it has said what the action does. Scripts without gaps have a word for each character. */
const MOST_CHARS = 400;
const MOST_WORDS = 80;
/** Per action: bounds what a thousand similar texts cost. */
const MOST_COMPARED = 50;

interface Text {
  id: string;
  name: ReadonlySet<string>;
  description: ReadonlySet<string>;
}

/** Finds at most one similar action for each action: one of `actions` before it, else one of `others`. */
export function* collisions(actions: readonly ActionInfo[], others: readonly ActionInfo[]): Steps<LintFinding[]> {
  if (actions.length + others.length < 2) return [];
  const own = yield* toTexts(actions);
  const foreign = yield* toTexts(others);
  const counts = new Map<string, number>();
  for (const { description } of [...own, ...foreign]) for (const word of description) counts.set(word, (counts.get(word) ?? 0) + 1);
  const before = new TextIndex(counts, sameForAModel);
  const elsewhere = new TextIndex(counts, (a, b) => sameForAModel(a, b) && likeness(a.name, b.name) >= ALIKE);
  for (const text of foreign) elsewhere.add(text);
  const findings: LintFinding[] = [];
  for (const text of own) {
    yield;
    const sibling = before.find(text);
    before.add(text);
    const stranger = sibling ? undefined : elsewhere.find(text);
    if (sibling) findings.push(siblingFinding(text.id, sibling.id));
    else if (stranger) findings.push(strangerFinding(text.id, stranger.id));
  }
  return findings;
}

function* toTexts(actions: readonly ActionInfo[]): Steps<Text[]> {
  const texts: Text[] = [];
  for (const action of actions) {
    texts.push(toText(action));
    yield;
  }
  return texts;
}

function toText(action: ActionInfo): Text {
  const id = action.action;
  const { actionName } = parseActionId(id) ?? { actionName: id };
  const description = new Set(stems(action.description.slice(0, MOST_CHARS)).slice(0, MOST_WORDS));
  return { id, name: new Set(stems(actionName)), description };
}

class TextIndex {
  readonly #counts: ReadonlyMap<string, number>;
  readonly #same: (a: Text, b: Text) => boolean;
  readonly #byWord = new Map<string, Text[]>();

  constructor(counts: ReadonlyMap<string, number>, same: (a: Text, b: Text) => boolean) {
    this.#counts = counts;
    this.#same = same;
  }

  add(text: Text): void {
    for (const word of this.#rarest(text)) {
      const texts = this.#byWord.get(word);
      if (texts) texts.push(text);
      else this.#byWord.set(word, [text]);
    }
  }

  find(text: Text): Text | undefined {
    let compared = 0;
    for (const word of this.#rarest(text)) {
      for (const other of this.#byWord.get(word) ?? []) {
        if (this.#same(text, other)) return other;
        if (++compared === MOST_COMPARED) return undefined;
      }
    }
    return undefined;
  }

  #rarest({ description }: Text): string[] {
    const count = (word: string) => this.#counts.get(word) ?? 0;
    const words = [...description].sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
    return words.slice(0, words.length - Math.ceil(ALIKE * words.length) + 1);
  }
}

function sameForAModel(a: Text, b: Text): boolean {
  const [verb] = a.description;
  const [otherVerb] = b.description;
  if (verb !== otherVerb || likeness(a.description, b.description) < ALIKE) return false;
  const names = difference(a.name, b.name);
  return ![...difference(a.description, b.description)].some((word) => names.has(word));
}

/** 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (Math.min(a.size, b.size) < ALIKE * Math.max(a.size, b.size)) return 0;
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / (a.size + b.size - common);
}

/** The words that only one of them has. */
function difference(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((word) => !b.has(word)).concat([...b].filter((word) => !a.has(word))));
}

function siblingFinding(action: string, other: string): LintFinding {
  return {
    rule: 'colliding',
    severity: 'warning',
    action,
    message: `Its description has the same words as that of "${other}": a model cannot tell which of the two to use`,
    hint: 'Say in both what sets them apart: what each takes, what each gives back, when to use the other. Or make them one action with a parameter',
  };
}

function strangerFinding(action: string, other: string): LintFinding {
  return {
    rule: 'colliding',
    severity: 'warning',
    action,
    message: `Name and description are those of "${other}", of another toolkit: a model cannot tell which of the two to use`,
    hint: 'Say which service, system or data it is about: "Lists the users of a Slack workspace", not "Lists users"',
  };
}

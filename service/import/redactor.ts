/** Removes the secrets of a source from its texts, in every form: an API or a server may quote them. */
import { isObject } from '#sdk/protocol/json-object';
import { secretForms } from './secret-forms';

export interface Secret {
  value: string;
  /** The replacement text. */
  shown: string;
  /** True: removed from results and descriptions as well. A variable may also be a word that they need, such as a city. */
  isCredential: boolean;
}

/** A shorter value would match within other words. */
const MIN_CHARS = 6;
/** A text may be cut within a secret. */
const MIN_CUT_CHARS = 8;
/** Such as `disabled` in AUTH_MODE, whose name looks secret: results need such words and numbers. */
const WORD = /^(?:[A-Za-z]{1,15}|\d{1,15})$/;

export class Redactor {
  readonly #all: FormsOfSecrets;
  readonly #credentials: FormsOfSecrets;
  readonly #source: Redactor | undefined;

  /** @param source removes its secrets too */
  constructor(secrets: readonly Secret[], source?: Redactor) {
    this.#source = source;
    const known = secrets.filter(({ value }) => value.length >= MIN_CHARS);
    this.#all = new FormsOfSecrets(known);
    this.#credentials = new FormsOfSecrets(known.filter(({ value, isCredential }) => isCredential && !WORD.test(value)));
  }

  /** The redactor of a call with secrets of its own. */
  with(secrets: readonly Secret[]): Redactor {
    return new Redactor(secrets, this);
  }

  /** A text about the source, such as an error or a line of its log. */
  text(text: string): string {
    return this.#all.removeCut(this.#all.remove(this.#source?.text(text) ?? text));
  }

  /** JSON about the source, such as the details of an error. */
  details<Value>(value: Value): Value {
    return mapTexts(this.#source ? this.#source.details(value) : value, (text) => this.#all.remove(text)) as Value;
  }

  /** JSON or its text from the source for agents: results and descriptions. */
  result<Value>(value: Value): Value {
    const known = this.#source ? this.#source.result(value) : value;
    return this.#credentials.isEmpty ? known : (mapTexts(known, (text) => this.#credentials.remove(text)) as Value);
  }
}

class FormsOfSecrets {
  /** Form -> the replacement text. */
  readonly #shown = new Map<string, string>();
  readonly #pattern: RegExp;
  readonly #minChars: number;

  constructor(secrets: readonly Secret[]) {
    for (const { value, shown } of secrets)
      for (const form of secretForms(value)) if (form.length >= MIN_CHARS && !this.#shown.has(form)) this.#shown.set(form, shown);
    // Longer forms first, since they may contain others.
    const forms = [...this.#shown.keys()].sort((one, other) => other.length - one.length);
    this.#pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
    this.#minChars = forms.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  remove(text: string): string {
    if (text.length < this.#minChars) return text;
    return text.replace(this.#pattern, (form) => this.#shown.get(form) ?? '');
  }

  removeCut(text: string): string {
    for (const [form, shown] of this.#shown) {
      for (let length = Math.min(form.length - 1, text.length); length >= MIN_CUT_CHARS; length--)
        if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + shown;
    }
    return text;
  }
}

/** The same value if no text changes. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change)] as const);
  const isSame = members.every(([name, member]) => Object.hasOwn(value, name) && value[name] === member);
  return isSame ? value : Object.fromEntries(members);
}

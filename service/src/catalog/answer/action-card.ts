/**
 * The forms in which a search can show one action. Made when first needed, and kept as long as the record and the shape of its result stay.
 */
import type { FoundAction, JsonSchema, MoreAction } from '#sdk/protocol/http';
import { formatActionId } from '#sdk/protocol/ids';
import { shortType } from '#sdk/protocol/to-type';
import type { ActionRecord } from '../../store/store';
import { actionInfo } from '../action-info';
import { shownResult } from '../review/action-reviews';
import { cutAtWord, firstSentence } from './first-sentence';
import { Form } from './form';
import { mentionedNames } from './mentioned-names';
import { LEAST, SHORTENINGS, type Shortening, shortenSchema } from './shorten-schema';

/** The catalogue keeps longer descriptions; models choose by the beginning. */
const MAX_DESCRIPTION_CHARS = 600;

/** A type of a result takes at most so many tokens; the second where there is little room. */
const RESULT_TOKENS = [100, 40];

const cards = new WeakMap<ActionRecord, ActionCard>();

export class ActionCard {
  readonly id: string;
  readonly #record: ActionRecord;
  readonly #resultSchema: JsonSchema | undefined;
  readonly #forms = new Map<string | Shortening, Form<FoundAction> | Form<MoreAction>>();
  readonly #withResult = new WeakMap<Form<FoundAction>, Map<string, Form<FoundAction>>>();
  #types: readonly string[] | undefined;
  #mentions: readonly string[] | undefined;

  static of(record: ActionRecord): ActionCard {
    let card = cards.get(record);
    if (!card || card.#resultSchema !== shownResult(record)) {
      card = new ActionCard(record);
      cards.set(record, card);
    }
    return card;
  }

  private constructor(record: ActionRecord) {
    this.id = formatActionId(record.toolkitId, record.name);
    this.#record = record;
    this.#resultSchema = shownResult(record);
  }

  /** Everything, however long. */
  get whole(): Form<FoundAction> {
    return this.#form('whole', () => actionInfo(this.id, this.#record));
  }

  /** The result's schema too, for a search by the exact id. */
  get complete(): Form<FoundAction> {
    const resultSchema = this.#resultSchema;
    if (resultSchema === undefined) return this.whole;
    return this.#form('complete', () => {
      const [result] = this.#resultTypes();
      return { ...this.whole.info, ...(result !== undefined && { result }), resultSchema };
    });
  }

  /** The form with the type of the result, then with a shorter one; nothing when the result may be anything. */
  *withResult(form: Form<FoundAction>): Generator<Form<FoundAction>> {
    if ('result' in form.info) return;
    for (const type of this.#resultTypes()) yield this.#formWithResult(form, type);
  }

  #resultTypes(): readonly string[] {
    const resultSchema = this.#resultSchema;
    if (resultSchema === undefined) return [];
    this.#types ??= [...new Set(RESULT_TOKENS.map((tokens) => shortType(resultSchema, tokens)))].filter((type) => type !== 'any');
    return this.#types;
  }

  #formWithResult(form: Form<FoundAction>, result: string): Form<FoundAction> {
    const forms = this.#withResult.get(form) ?? new Map<string, Form<FoundAction>>();
    this.#withResult.set(form, forms);
    const known = forms.get(result) ?? new Form({ ...form.info, result });
    forms.set(result, known);
    return known;
  }

  /** A card with the whole schema; a very long description is cut. */
  get full(): Form<FoundAction> {
    const { description } = this.#record;
    if (description.length <= MAX_DESCRIPTION_CHARS) return this.whole;
    return this.#form('full', () => shortened({ ...this.whole.info, description: cutAtWord(description, MAX_DESCRIPTION_CHARS) }));
  }

  /** Ever less of the schema, the last with none of it. */
  *shorter(): Generator<Form<FoundAction>> {
    for (const shortening of SHORTENINGS) yield this.#shorter(shortening);
  }

  get least(): Form<FoundAction> {
    return this.#shorter(LEAST);
  }

  /** Id and one sentence. */
  get sentence(): Form<MoreAction> {
    return this.#form('sentence', () => ({ action: this.id, description: firstSentence(this.#record.description) }));
  }

  get bare(): Form<MoreAction> {
    return this.#form('bare', () => ({ action: this.id }));
  }

  /** Ids of its toolkit that its texts may mention, whether there are such actions or not. */
  get mentions(): readonly string[] {
    this.#mentions ??= mentionedNames(this.#record).map((name) => formatActionId(this.#record.toolkitId, name));
    return this.#mentions;
  }

  #shorter(shortening: Shortening): Form<FoundAction> {
    return this.#form(shortening, () => {
      const { description, payloadSchema } = this.#record;
      const text = shortening.textChars > 0 ? cutAtWord(description, MAX_DESCRIPTION_CHARS) : firstSentence(description);
      return shortened({ ...this.whole.info, description: text, payloadSchema: shortenSchema(payloadSchema, shortening) });
    });
  }

  #form<Info extends FoundAction | MoreAction>(name: string | Shortening, make: () => Info): Form<Info> {
    const known = this.#forms.get(name);
    if (known) return known as Form<Info>;
    const form = new Form(make());
    this.#forms.set(name, form);
    return form;
  }
}

function shortened(info: FoundAction): FoundAction {
  return { ...info, shortened: true };
}

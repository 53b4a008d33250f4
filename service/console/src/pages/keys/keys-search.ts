/** The address of the page: filters, order and page of the list, the open key, and the form that is open in it. */
import { KEY_SORTS, KEY_STATES, type KeySort, type KeyState } from '#sdk/protocol/admin';
import type { KeyKind } from '#sdk/protocol/http';

const KINDS: readonly KeyKind[] = ['agent', 'toolkit', 'admin'];

export interface KeysSearch {
  kind?: KeyKind;
  /** Default: active. */
  state?: KeyState | 'all';
  text?: string;
  sort?: KeySort;
  order?: 'asc' | 'desc';
  /** Where the page begins. Absent on the first page. */
  cursor?: string;
  id?: string;
  form?: 'rules';
  /** Opens the form of a new key for this toolkit alone: the catalogue leads here. */
  toolkit?: string;
}

export function keysSearch({ kind, state, text, sort, order, cursor, id, form, toolkit }: Record<string, unknown>): KeysSearch {
  return {
    ...(isOneOf(KINDS, kind) && { kind }),
    ...((isOneOf(KEY_STATES, state) || state === 'all') && { state }),
    ...(isText(text) && { text }),
    ...(isOneOf(KEY_SORTS, sort) && { sort }),
    ...((order === 'asc' || order === 'desc') && { order }),
    ...(isText(cursor) && { cursor }),
    ...(isText(id) && { id }),
    ...(form === 'rules' && { form }),
    ...(isText(toolkit) && { toolkit }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value);
}

/**
 * Names that people and models may take for each other have a skeleton in common.
 *
 * Shape:  a name has two skeletons. One compares what is drawn (`SIack` is `Slack`: the capital I is the small l), the other the letters
 *         (`INVOICES` is `Invoices`). Both ignore case, spaces, punctuation and diacritics.
 * Source: UTS 39, section 4, with NFKD instead of NFD.
 */
import { CONFUSABLES } from './confusables';
import { withoutMarks } from './without-marks';

/** Read at the first use: a start compares no names. */
let readPrototypes: ReadonlyMap<string, string> | undefined;
/** Signs that NFKD would turn into letters: `Slack™` is not `SlackTM`. */
const TRADE_MARKS = /[™℠®©]/g;
const NOT_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu;
/** A sign between two letters may replace a letter: `S|ack`. */
const OUTER_SIGNS = /(?<![\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+(?![\p{L}\p{N}\p{M}])/gu;

export function skeletons(name: string): string[] {
  const plain = withoutMarks(name.replace(TRADE_MARKS, ''));
  const drawn = prototypes(plain.replace(OUTER_SIGNS, '')).replace(NOT_LETTERS, '').toLowerCase();
  const letters = prototypes(plain.replace(NOT_LETTERS, '').toLowerCase()).toLowerCase();
  // A name may have no letters: `🎉`.
  if (drawn === '' || letters === '') return [plain];
  return drawn === letters ? [drawn] : [drawn, letters];
}

/** Whether every name that looks like `name` looks like `former` too. */
export function looksOnlyLike(name: string, former: string): boolean {
  const known = skeletons(former);
  return skeletons(name).every((skeleton) => known.includes(skeleton));
}

function prototypes(text: string): string {
  readPrototypes ??= readTable(CONFUSABLES);
  let prototype = '';
  for (const character of text) prototype += readPrototypes.get(character) ?? character;
  return prototype;
}

function readTable(table: string): ReadonlyMap<string, string> {
  const prototypes = new Map<string, string>();
  for (const row of table.trim().split('\n')) {
    const [like = '', ...characters] = row.split(' ');
    for (const hex of characters) prototypes.set(String.fromCodePoint(Number.parseInt(hex, 16)), like);
  }
  // UTS 39 leaves out small letters with the shape of their capital, such as the Cyrillic к.
  for (const [character, like] of [...prototypes]) {
    const small = character.toLowerCase();
    if (small > '\x7f' && !prototypes.has(small)) prototypes.set(small, like.toLowerCase());
  }
  return prototypes;
}

/**
 * Estimates the tokens of a text, without shipping a tokenizer: runs of letters, digits and marks, each at what it costs in
 * JSON of real actions.
 *
 * Units:  tokens of o200k_base, on the safe side: test/unit/protocol holds the estimate against the tokenizer itself.
 * Source: the pieces into which o200k_base cuts a text before it merges bytes: a word takes one mark or space before it, digits form groups of three.
 */
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SPACE = 4;
const MARK = 5;
const BACKSLASH = 6;
/** Outside of ASCII a token is about one UTF-16 unit; accented words take less. */
const OTHER = 7;
/** The vocabulary may contain only single bytes for rare characters: three for a unit, two for each half of a pair. */
const RARE = 8;
const PAIRED = 9;

/**
 * First and last code unit: Myanmar to Vedic; technical signs, Braille; Han extension A; Yi to Meetei Mayek; private use, compatibility and
 * presentation forms.
 */
const RARE_SIGNS = [
  [0x1000, 0x1dff],
  [0x2300, 0x2fff],
  [0x3400, 0x4dbf],
  [0xa000, 0xabff],
  [0xe000, 0xfeff],
] as const;
const SURROGATES = [0xd800, 0xdfff] as const;

/** Costs by code unit. */
const CLASSES = new Uint8Array(2 ** 16).fill(OTHER);
for (let code = 0; code < 128; code++) CLASSES[code] = asciiClass(String.fromCharCode(code));
for (const [first, last] of RARE_SIGNS) CLASSES.fill(RARE, first, last + 1);
CLASSES.fill(PAIRED, SURROGATES[0], SURROGATES[1] + 1);

function asciiClass(character: string): number {
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/\s/.test(character)) return SPACE;
  return character === '\\' ? BACKSLASH : MARK;
}

/** Letters of a word that most vocabularies still hold as one token. */
const USUAL_WORD_CHARS = 10;
const SAFETY = 1.03;

export function estimateTokens(text: string): number {
  let tokens = 0;
  let start = 0;
  let capitals = 0;
  while (start < text.length) {
    const kind = classAt(text, start);
    let end = start + 1;
    while (end < text.length && classAt(text, end) === kind) end++;
    const length = end - start;
    if (kind === UPPER && classAt(text, end) === LOWER) {
      // `Weather` is one word; of `HTTPServer` all but the last capital are a word of their own.
      capitals = length;
    } else {
      tokens += costOf(kind, length, classAt(text, end), capitals);
      capitals = 0;
    }
    start = end;
  }
  return Math.ceil(tokens * SAFETY);
}

function costOf(kind: number, length: number, next: number, capitals: number): number {
  switch (kind) {
    case LOWER:
      return (
        1 +
        Math.max(0, length + capitals - USUAL_WORD_CHARS) * 0.1 +
        Math.max(0, length - 2 * USUAL_WORD_CHARS) * 0.3 +
        acronym(capitals - 1)
      );
    case UPPER:
      return acronym(length);
    case DIGIT:
      return Math.ceil(length / 3);
    case SPACE:
      return length === 1 && next !== DIGIT ? 0 : 1;
    case MARK:
      if (length === 1 && (next === LOWER || next === UPPER || next >= OTHER)) return 0;
      return length <= 3 ? 1 : Math.ceil(length / 2);
    case BACKSLASH:
      return length;
    case RARE:
      return 3 * length;
    case PAIRED:
      return 2 * length;
    default:
      return length;
  }
}

function acronym(length: number): number {
  if (length <= 0) return 0;
  return length <= 3 ? 1.2 : length / 3;
}

function classAt(text: string, index: number): number {
  // Behind the end it is NaN.
  return CLASSES[text.charCodeAt(index)] ?? 0;
}

/**
 * Cuts the text of a post to X's limit.
 *
 * Units:  280, weighted: most characters of European languages weigh 1, an emoji, a Chinese or Japanese character 2, a link 23.
 * Source: docs.x.com, "Counting characters", and `config/v3.json` of github.com/twitter/twitter-text.
 */
const MAX_WEIGHT = 280;
const LINK_WEIGHT = 23;
const DEFAULT_WEIGHT = 2;
/** Code points of weight 1, first and last. */
const LIGHT_RANGES = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;
const ELLIPSIS = '…';

/**
 * Matches links as X does, or shorter parts, since X refuses a post with an underestimated weight. X treats words such as `notes.md` as links
 * if the end is a top-level domain; here every word with a dot and two letters after it weighs at least as much as a link.
 */
const LINK =
  /https?:\/\/(?:[\p{L}\p{N}_-]{1,63}\.)+[a-z]{2,24}(?![a-z0-9@])(?::\d+)?(?:[/?](?:[\w\-./?%&=+#~:@!$,;*'[\]|]*[\w=#/-])?)?|(?<![\w@#$.-])(?:[a-z0-9_-]{1,63}\.)+[a-z]{2,24}(?![a-z0-9@])/giu;
/** TypeScript accepts the `v` flag in a literal from ES2024 on. */
const EMOJI_PATTERN = '^\\p{RGI_Emoji}$';
const EMOJI = new RegExp(EMOJI_PATTERN, 'v');

interface Unit {
  text: string;
  weight: number;
}

/** The text if it fits; otherwise its beginning, cut after a word, and `…`. */
export function fitPost(text: string): string {
  const normal = text.normalize('NFC').trim();
  const room = MAX_WEIGHT - postWeight(ELLIPSIS);
  let weight = 0;
  let index = 0;
  let [end, wordEnd] = [0, 0];
  for (const unit of unitsOf(normal)) {
    if (weight <= room && /^\s/.test(unit.text)) wordEnd = index;
    weight += unit.weight;
    index += unit.text.length;
    if (weight <= room) end = index;
    if (weight > MAX_WEIGHT) return `${normal.slice(0, wordEnd > end / 2 ? wordEnd : end).trimEnd()}${ELLIPSIS}`;
  }
  return normal;
}

/** The length of a text as X counts it, at most 280 for a post. */
export function postWeight(text: string): number {
  return [...unitsOf(text.normalize('NFC'))].reduce((sum, { weight }) => sum + weight, 0);
}

/** Yields links and characters in order. A cut must not be within a unit. */
function* unitsOf(text: string): Generator<Unit, void, undefined> {
  let index = 0;
  for (const link of text.matchAll(LINK)) {
    yield* charactersOf(text.slice(index, link.index));
    const [found] = link;
    yield { text: found, weight: /^https?:/i.test(found) ? LINK_WEIGHT : Math.max(LINK_WEIGHT, found.length) };
    index = link.index + found.length;
  }
  yield* charactersOf(text.slice(index));
}

function* charactersOf(text: string): Generator<Unit, void, undefined> {
  for (const { segment } of new Intl.Segmenter().segment(text)) yield { text: segment, weight: weightOfCharacter(segment) };
}

function weightOfCharacter(character: string): number {
  if (EMOJI.test(character)) return DEFAULT_WEIGHT;
  const points = [...character].map((text) => text.codePointAt(0) ?? 0);
  return points.reduce(
    (sum, point) => sum + (LIGHT_RANGES.some(([first, last]) => first <= point && point <= last) ? 1 : DEFAULT_WEIGHT),
    0,
  );
}

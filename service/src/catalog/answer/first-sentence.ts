/**
 * The first sentence of a description, on one line: enough for a choice.
 *
 * Units:  UTF-16 code units, as in `String.length`; never half a character.
 * Source: sentences by Unicode (UAX #29), which ends one at `。` and takes `api.example.com` for one word.
 */
const MAX_SENTENCE_CHARS = 160;
/** A sentence that is no more than this is a heading or an abbreviation (`e.g.`): the next one goes with it. */
const MIN_SENTENCE_CHARS = 16;
/** More of a text is never looked at. */
const MAX_READ_CHARS = 640;

/** Made on first use, which takes 10 to 15 ms: not while the service starts. */
let sentences: Intl.Segmenter | undefined;
/** A text without one of these inside is one sentence, which saves the segmenter. */
const SENTENCE_END = /[.!?。！？｡؟।]./su;
/** Ends in a point and no sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|excl|resp|no|nr|st|dr|mr|mrs|ms|prof|inc|ltd|co|corp|fig|ver|v|\p{L})\.\)?$/iu;
/** `items?` of `items?q=a`: the segmenter cuts there, and no gap follows. */
const INSIDE_A_WORD = /[.!?]$/;
const PARAGRAPH_END = /\n[ \t]*\n/;
/** Marks of markdown at the beginning of a line. */
const LINE_MARKS = /^[ \t]*(?:#{1,6}|[-*+>]|\d{1,2}[.)])[ \t]+/gm;
const LINKS = /\[([^\][]{1,200})\]\([^()\s]{1,400}\)/g;
const TAGS = /<\/?[a-z][^<>]{0,200}>/gi;

export function firstSentence(text: string): string {
  const lines = text.slice(0, MAX_READ_CHARS).replace(LINE_MARKS, '').replace(LINKS, '$1').replace(TAGS, ' ').replaceAll('**', '');
  let sentence = '';
  for (const paragraph of lines.split(PARAGRAPH_END)) {
    for (const segment of sentencesOf(oneLine(paragraph))) {
      sentence += segment;
      if (isWhole(sentence)) return cutAtWord(sentence.trim(), MAX_SENTENCE_CHARS);
    }
  }
  return cutAtWord(oneLine(sentence), MAX_SENTENCE_CHARS);
}

/** Each with the gap behind it. */
function* sentencesOf(line: string): Generator<string> {
  if (!SENTENCE_END.test(line)) yield `${line} `;
  else {
    sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
    for (const { segment } of sentences.segment(`${line} `)) yield segment;
  }
}

function isWhole(text: string): boolean {
  const sentence = text.trimEnd();
  return sentence.length >= MIN_SENTENCE_CHARS && !ABBREVIATION.test(sentence) && !INSIDE_A_WORD.test(text);
}

/** The text, or its beginning up to a gap between words, with `…`. */
export function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, maxChars - 1);
  const gap = Math.max(kept.lastIndexOf(' '), kept.lastIndexOf('\n'));
  // A text without gaps (Chinese, a URL) is cut between two characters.
  const whole = gap > maxChars / 2 ? kept.slice(0, gap) : kept.replace(/[\ud800-\udbff]$/, '');
  return `${whole.replace(/[\s,;:–-]+$/, '')}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

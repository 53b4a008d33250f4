/** The prose of Python and Rust: comments, docstrings, strings of three words and more, and the names of tests. */
import type { Passage } from './prose';

type Piece = Pick<Passage, 'kind' | 'text'>;
type Groups = Record<string, string | undefined>;

const PYTHON = oneOf(
  /#(?<comment>[^\n]*)/,
  /(?<![^\n])[ \t]*"""(?<docstring>(?:\\.|(?!""").)*)"""/,
  /(?:\b(?<prefix>[bfr]{1,2}))?"""(?<long>(?:\\.|(?!""").)*)"""/,
  /(?:\b(?<shortPrefix>[bfr]{1,2}))?(?<quote>["'])(?<short>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>/,
  /\bdef test_(?<test>\w+)/,
);

const RUST = oneOf(
  /\/\/[/!]?(?<comment>[^\n]*)/,
  /\/\*(?<block>(?:(?!\*\/).)*)\*\//,
  /\br(?<hashes>#*)"(?<raw>.*?)"\k<hashes>/,
  /"(?<string>(?:\\.|[^"\\])*)"/,
  // A character literal, so that '"' does not begin a string.
  /'(?:\\[^\n]|[^\\\n])'/,
  /#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (?<test>\w+)/,
);

export function proseOfPython(source: string): Passage[] {
  return passagesOf(source, PYTHON, ({ comment, docstring, prefix, long, shortPrefix, short, test }) => {
    if (comment !== undefined) return /^ ?(noqa|type:|pyright:)/.test(comment) ? undefined : asComment(comment.replace(/^:/, ''));
    if (docstring !== undefined) return asComment(docstring);
    if (test !== undefined) return asTestName(test);
    const text = long ?? short ?? '';
    return asMessage((prefix ?? shortPrefix ?? '').includes('f') ? text.replaceAll(/\{[^{}]*\}/g, 'X') : text);
  });
}

export function proseOfRust(source: string): Passage[] {
  return passagesOf(source, RUST, ({ comment, block, raw, string, test }) => {
    if (comment !== undefined || block !== undefined) return asComment(comment ?? block ?? '');
    if (test !== undefined) return asTestName(test);
    const text = raw ?? string?.replaceAll(/\\\n\s*/g, '');
    return text === undefined ? undefined : asMessage(text.replaceAll(/\{[\w.:?#]*\}/g, 'X'));
  });
}

function oneOf(...tokens: RegExp[]): RegExp {
  return new RegExp(tokens.map(({ source }) => source).join('|'), 'gs');
}

const asComment = (text: string): Piece => ({ kind: 'comment', text });
const asMessage = (text: string): Piece => ({ kind: 'message', text });
const asTestName = (name: string): Piece => ({ kind: 'test name', text: name.replaceAll('_', ' ') });

/** Comments on neighbouring lines are one passage, and so are adjacent strings. */
function passagesOf(source: string, tokens: RegExp, read: (groups: Groups) => Piece | undefined): Passage[] {
  const passages: Passage[] = [];
  let [line, offset, end] = [1, 0, 0];
  for (const token of source.matchAll(tokens)) {
    const piece = read(token.groups ?? {});
    if (!piece) continue;
    line += source.slice(offset, token.index).split('\n').length - 1;
    offset = token.index;
    const last = passages.at(-1);
    if (last?.kind === piece.kind && /^[ \t]*\n?[ \t]*$/.test(source.slice(end, token.index))) {
      last.text += piece.kind === 'comment' ? `\n${piece.text}` : piece.text;
    } else passages.push({ line, ...piece });
    end = token.index + token[0].length;
  }
  return passages
    .map((passage) => ({ ...passage, text: withoutCode(passage.text) }))
    .filter(({ kind, text }) => kind === 'comment' || text.split(' ').length >= 3);
}

/** A code span becomes `X`, as in pages. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/```.*?```/gs, '')
    .replaceAll(/(`+)[^`]*\1/g, 'X')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

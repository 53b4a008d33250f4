import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from 'marked';
import { escapeHtml } from './escape-html';

/** Quotes and lists inside of each other: deeper ones are text. Without a limit the parser's recursion runs out of stack. */
const DEEPEST = 16;

/** Characters of one paragraph that are read for emphasis and links. Longer ones are text. */
const LONGEST_INLINE = 8_192;

/** Marks in one such paragraph. With more it is text: each mark that is not closed is searched for to the end of the paragraph. */
const MOST_MARKS = 1_000;
const MARK = /[\\<![`*_~@]|:\/\//g;

/** Cells of one table. A larger one is text: short rows are filled up to the width of the first, so that 64 KiB could become 100 million cells. */
const MOST_CELLS = 20_000;

/** A text without any of these has no emphasis, link, code or break: most cells of tables and items of lists. */
const INLINE_MARK = /[^\p{L}\p{N} ,;()/%|=-]/u;

/** Reads any text of some 64 KiB in bounded time and stack. */
export class BoundedLexer extends Lexer<string, string> {
  constructor(options: MarkedOptions<string, string> = {}) {
    super({ ...options, gfm: true, tokenizer: new BoundedTokenizer() });
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= LONGEST_INLINE && INLINE_MARK.test(src) && (src.match(MARK)?.length ?? 0) <= MOST_MARKS)
      return super.inlineTokens(src, tokens);
    const text: Tokens.Text = { type: 'text', raw: src, text: escapeHtml(src), escaped: true };
    tokens.push(text);
    return tokens;
  }
}

class BoundedTokenizer extends Tokenizer<string, string> {
  #depth = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#deeper(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#deeper(() => super.list(src));
  }

  override table(src: string): Tokens.Table | undefined {
    const [, head = '', , rows = ''] = this.rules.block.table.exec(src) ?? [];
    return count(head, '|') * count(rows, '\n') > MOST_CELLS ? undefined : super.table(src);
  }

  #deeper<T>(read: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

function count(text: string, character: string): number {
  return text.split(character).length;
}

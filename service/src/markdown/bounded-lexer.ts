import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from 'marked';
import { escapeHtml } from './escape-html';

/** Quotes and lists inside of each other: deeper ones are text. Without a limit the parser's recursion runs out of stack. */
const DEEPEST = 16;

/** Characters of one paragraph that are read for emphasis and links. Longer ones are text: the time grows with the square of the marks that are not closed. */
const LONGEST_INLINE = 8_192;

/** Reads any text of some 64 KiB in bounded time and stack. */
export class BoundedLexer extends Lexer<string, string> {
  constructor(options: MarkedOptions<string, string> = {}) {
    super({ ...options, gfm: true, tokenizer: new BoundedTokenizer() });
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= LONGEST_INLINE) return super.inlineTokens(src, tokens);
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

import { Parser } from 'marked';
import { BoundedLexer } from './bounded-lexer';
import { HarmlessRenderer } from './harmless-renderer';

/**
 * Markdown (GFM) of strangers as HTML that does nothing: READMEs of toolkits, results of actions, answers of models.
 * HTML in the text is shown as text, links lead to http, https and mailto alone, and an image is a link to it, so that a page loads nothing of strangers.
 * A heading is one level lower than in the text. Bounded in time and stack for texts up to about 64 KiB.
 */
export function renderMarkdown(text: string): string {
  return Parser.parse(new BoundedLexer().lex(text), { gfm: true, renderer: new HarmlessRenderer() });
}

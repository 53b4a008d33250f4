import { Parser } from 'marked';
import { BoundedLexer } from './bounded-lexer';
import { escapeHtml } from './escape-html';
import { HarmlessRenderer } from './harmless-renderer';

/** UTF-16 code units that are read as Markdown: the size of the largest README. */
const LONGEST = 65_536;

/**
 * Markdown (GFM) of strangers as HTML that does nothing: READMEs of toolkits, results of actions, answers of models.
 * HTML in the text is shown as text, links lead to http, https and mailto alone, and an image is a link to it, so that a page loads nothing of strangers.
 * A heading is one level lower than in the text. Bounded in time, memory and stack: after 64 KiB the lines are shown as they are.
 */
export function renderMarkdown(text: string): string {
  const [start, rest] = text.length <= LONGEST ? [text, ''] : cut(text);
  const html = Parser.parse(new BoundedLexer().lex(start), { gfm: true, renderer: new HarmlessRenderer() });
  return rest === '' ? html : `${html}<pre>${escapeHtml(rest)}</pre>\n`;
}

/** Cuts at the end of a line, if a line ends there. */
function cut(text: string): [string, string] {
  const end = text.lastIndexOf('\n', LONGEST - 1) + 1 || LONGEST;
  return [text.slice(0, end), text.slice(end)];
}

import { Renderer, type Tokens } from 'marked';
import { escapeHtml } from './escape-html';

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Writes HTML without scripts, styles, forms, ids and requests. */
export class HarmlessRenderer extends Renderer<string, string> {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  }

  /** The page has a first heading of its own. */
  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = Math.min(depth + 1, 6);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    return link(href, this.parser.parseInline(tokens));
  }

  override image({ href, text }: Tokens.Image): string {
    return link(href, escapeHtml(text || href));
  }

  /** A check box is a control without a name for readers of screens. */
  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }
}

function link(href: string, html: string): string {
  const address = URL.parse(href);
  if (!address || !LINK_PROTOCOLS.has(address.protocol)) return html;
  return `<a href="${escapeHtml(address.href)}" rel="nofollow noopener noreferrer" target="_blank">${html}</a>`;
}

/** Converts texts of a document, which are Markdown, to plain text. */
import { readableText } from '#sdk/protocol/invisible-text';

/** Characters of one text that are read. */
const MAX_READ_CHARS = 20_000;

/** Removes HTML, comments, and the addresses of Markdown links. Each pattern takes linear time: the text is untrusted. */
export function plainText(markdown: string): string {
  return readableText(markdown.slice(0, MAX_READ_CHARS))
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g, '$1')
    .replace(/<(?:br|\/p|\/li|\/div|\/h\d)\s*\/?>/gi, '\n')
    .replace(TAG, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Elements of web pages, and not `<token>` in a sentence. */
const TAG =
  /<\/?(?:a|b|blockquote|br|caption|center|code|dd|details|div|dl|dt|em|figure|font|fullname|h[1-6]|hr|i|iframe|img|important|input|li|note|ol|p|pre|q|s|script|section|small|span|strong|style|sub|summary|sup|svg|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*|\/)?>/gi;

const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function limitText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).trimEnd()}…`;
}

/** The first sentence of a plain text, on one line. */
export function openingSentence(text: string): string {
  const [sentence = ''] = /^.+?(?:[.!?](?=\s|$)|$)/s.exec(text) ?? [];
  return sentence.replace(/\s+/g, ' ');
}

export function withFullStop(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

/** The code blocks of a page, for tests that run them. */
import { readFileSync } from 'node:fs';
import { marked } from 'marked';

export interface CodeBlock {
  /** The heading above it. */
  under: string;
  language: string;
  /** The name after `file=` of the fence. */
  file: string | undefined;
  text: string;
}

/** Path from the root of the repository. */
export function readPage(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

export function codeBlocks(path: string): CodeBlock[] {
  let under = '';
  const blocks: CodeBlock[] = [];
  for (const token of marked.lexer(readPage(path))) {
    if (token.type === 'heading') under = token.text;
    if (token.type !== 'code') continue;
    const [language = '', ...details] = (token.lang ?? '').split(' ');
    const file = details.find((detail: string) => detail.startsWith('file='))?.slice('file='.length);
    blocks.push({ under, language, file, text: token.text });
  }
  return blocks;
}

/** Rows of all tables of a page, without their heads, each cell as it is written. */
export function tableRows(path: string): string[][] {
  return marked.lexer(readPage(path)).flatMap((token) => {
    if (token.type !== 'table') return [];
    return (token.rows as { text: string }[][]).map((row) => row.map((cell) => cell.text));
  });
}

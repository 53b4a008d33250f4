/** The prose of the repository: pages without code, comments, messages, and the texts of JSX. */
import { marked, type Token, type Tokens } from 'marked';
import ts from 'typescript';

export interface Passage {
  kind: 'text' | 'heading' | 'comment' | 'message';
  line: number;
  text: string;
}

const lineAt = (source: string, offset: number) => source.slice(0, offset).split('\n').length;

/** Paragraphs, list items and table cells, each without code spans. */
export function proseOfMarkdown(source: string): Passage[] {
  const passages: Passage[] = [];
  let offset = 0;
  const visit = (token: Token, line: number): void => {
    if (token.type === 'code' || token.type === 'html' || token.type === 'space' || token.type === 'hr') return;
    if (token.type === 'list') {
      let at = 0;
      for (const item of (token as Tokens.List).items) {
        const start = token.raw.indexOf(item.raw, at);
        at = start + item.raw.length;
        for (const part of item.tokens) visit(part, line + lineAt(token.raw, start) - 1);
      }
    } else if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      for (const [index, row] of [header, ...rows].entries()) {
        for (const cell of row) passages.push({ kind: 'text', line: line + (index === 0 ? 0 : index + 1), text: plain(cell.tokens) });
      }
    } else {
      const tokens = (token as Tokens.Paragraph).tokens ?? [];
      passages.push({ kind: token.type === 'heading' ? 'heading' : 'text', line, text: plain(tokens) });
    }
  };
  for (const token of marked.lexer(source)) {
    visit(token, lineAt(source, offset));
    offset += token.raw.length;
  }
  return passages;
}

/** A code span becomes `X`, so that the words around it keep their distance. */
function plain(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return 'X';
      if (token.type === 'br') return ' ';
      // The name of a section may be a question.
      if (token.type === 'link' && token.href.includes('#')) return 'X';
      return 'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : '';
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}

/** Comments, and the strings, templates and JSX texts of three words and more. */
export function proseOfTypeScript(path: string, source: string): Passage[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const passages: Passage[] = [];
  const seen = new Set<number>();
  const addComments = (ranges: ts.CommentRange[] | undefined) => {
    // Line comments on neighbouring lines are one comment.
    let last: { end: number; passage: Passage } | undefined;
    for (const { pos, end, kind } of ranges ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const text = clean(source.slice(pos, end));
      const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
      if (isLine && last && /^\s*$/.test(source.slice(last.end, pos))) {
        last.passage.text += ` ${text}`;
        last.end = end;
        continue;
      }
      const passage: Passage = { kind: 'comment', line: lineAt(source, pos), text };
      passages.push(passage);
      last = isLine ? { end, passage } : undefined;
    }
  };
  const addMessage = (node: ts.Node, text: string) => {
    if (text.trim().split(/\s+/).length < 3 || /[{;]\s*$|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH)\b/.test(text)) return;
    passages.push({
      kind: 'message',
      line: lineAt(source, node.getStart()),
      text: text
        .replaceAll(/`[^`]*`/g, 'X')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) addMessage(node, (node as ts.JsxText).text);
    else {
      addComments(ts.getLeadingCommentRanges(source, node.pos));
      addComments(ts.getTrailingCommentRanges(source, node.end));
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) addMessage(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      addMessage(node, node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join(''));
    }
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  return passages;
}

/** Removes the marks of a comment, code spans and code blocks. */
function clean(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .replace(/^\/\/+/, '')
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

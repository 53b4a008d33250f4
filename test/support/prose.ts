/** The prose of the repository: pages without code, comments, messages, names of tests, and the texts of JSX. */
import { marked, type Token, type Tokens } from 'marked';
import ts from 'typescript';

export interface Passage {
  kind: 'text' | 'heading' | 'comment' | 'message' | 'test name';
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
  return passagesOf(path, source, () => true);
}

/** Comments, and the names of tests. The other strings of a test are data. */
export function proseOfTests(path: string, source: string): Passage[] {
  return passagesOf(path, source, isTestName);
}

/** True for the first argument of `test(…)`, `test.each(…)(…)` and the like. */
function isTestName(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node.parent) && node.parent.arguments[0] === node && /^(test|it|describe)\b/.test(node.parent.expression.getText())
  );
}

function passagesOf(path: string, source: string, isMessage: (node: ts.Node) => boolean): Passage[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const file = ts.createSourceFile(path, source, options, true, kind);
  const lineOf = (offset: number) => file.getLineAndCharacterOfPosition(offset).line + 1;
  const literals: ts.Node[] = [];
  const messages: Passage[] = [];
  const addMessage = (node: ts.Node, text: string) => {
    if (!isMessage(node)) return;
    if (text.trim().split(/\s+/).length < 3 || /[{;]\s*$|^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH)\b/.test(text)) return;
    messages.push({
      kind: isTestName(node) ? 'test name' : 'message',
      line: lineOf(node.getStart(file)),
      text: text
        .replaceAll(/`[^`]*`/g, 'X')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node) || ts.isJsxText(node)) {
      literals.push(node);
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) addMessage(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      addMessage(node, node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...commentsIn(file, literals), ...messages];
}

/** The comments between the literals. Line comments on neighbouring lines are one passage. */
function commentsIn(file: ts.SourceFile, literals: ts.Node[]): Passage[] {
  let code = '';
  for (const literal of literals) {
    code += file.text.slice(code.length, literal.getStart(file));
    code += '_'.repeat(literal.end - code.length);
  }
  code += file.text.slice(code.length);
  const passages: Passage[] = [];
  let endOfLine = -1;
  for (const { 0: comment, index } of code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)) {
    const last = passages.at(-1);
    const isNext = endOfLine >= 0 && /^\n[ \t]*$/.test(code.slice(endOfLine, index));
    if (last && isNext && comment.startsWith('//')) last.text += ` ${clean(comment)}`;
    else passages.push({ kind: 'comment', line: file.getLineAndCharacterOfPosition(index).line + 1, text: clean(comment) });
    endOfLine = comment.startsWith('//') ? index + comment.length : -1;
  }
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

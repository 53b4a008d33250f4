import { Tokenizer } from 'marked';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { renderMarkdown } from '../../../src/markdown/markdown';

describe('Markdown of strangers', () => {
  it('becomes headings one level lower, lists, tables, code and links', () => {
    const html = renderMarkdown(
      '# Title\n\n- a **b**\n- [x] done\n\n| c |\n|---|\n| `d` |\n\n```js\nlet e = "<f>";\n```\n\n[home](https://example.com/?a=1&b=2)',
    );
    expect(html).toContain('<h2>Title</h2>');
    expect(html).toContain('<li>a <strong>b</strong></li>');
    expect(html).toMatch(/<li>\s*☑ done<\/li>/);
    expect(html).toContain('<td><code>d</code></td>');
    expect(html).toContain('let e = &quot;&lt;f&gt;&quot;;');
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="nofollow noopener noreferrer" target="_blank">home</a>');
  });

  it.each([
    ['<script>alert(1)</script>'],
    ['a <img src=x onerror=alert(1)> b'],
    ['<style>*{display:none}</style>'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['<!-- --><script>alert(1)</script>'],
    ['<details open ontoggle=alert(1)>'],
    ['[x](<javascript:alert(1)>)'],
    ['[x](java&#10;script:alert(1))'],
    ['[x](data:text/html,<script>alert(1)</script>)'],
    ['[x](vbscript:x)\n\n![y](javascript:alert(1))'],
    ['[x]: javascript:alert(1)\n\n[x]'],
    ['[x](https://example.com "onmouseover=\\"alert(1)")'],
    ['![a" onerror="alert(1)](https://example.com/a.png)'],
    ['`<script>`\n\n    <script>alert(1)</script>'],
    ['```"><script>alert(1)</script>\ncode\n```'],
    ['<https://example.com/"onclick="alert(1)>'],
    ['| <script>alert(1)</script> |\n|---|\n| <b> |'],
    ['https://example.com/<script>'],
  ])('runs, loads and styles nothing: %s', (text) => {
    const html = renderMarkdown(text);
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s+[a-z]+="[^"<>]*")*)\s*>/g)];
    expect(html.replaceAll(/<\/?([a-z0-9]+)((?:\s+[a-z]+="[^"<>]*")*)\s*>/g, '')).not.toMatch(/[<>]/);
    for (const [, tag, attributes = ''] of tags) {
      expect(['p', 'a', 'code', 'pre', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'h2', 'br', 'em', 'strong']).toContain(tag);
      for (const [, name, value] of attributes.matchAll(/\s([a-z]+)="([^"]*)"/g)) {
        expect(['href', 'rel', 'target', 'class']).toContain(name);
        if (name === 'href') expect(value).toMatch(/^(https?:|mailto:)/);
      }
    }
  });

  it('shows an image as a link to it', () => {
    expect(renderMarkdown('![a chart](https://example.com/c.png)')).toContain('>a chart</a>');
  });

  it.each([
    ['quotes', '> '.repeat(30_000)],
    ['quotes without spaces', '>'.repeat(60_000)],
    ['lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['lists on one line', '- '.repeat(30_000)],
    ['lists in quotes', '> - '.repeat(15_000)],
    ['emphasis that is not closed', '**a'.repeat(21_000)],
    ['emphasis in emphasis', `${'*a _b '.repeat(240)}${'_ *'.repeat(240)}`],
    ['brackets', '['.repeat(60_000)],
    ['links in links', '[a]('.repeat(16_000)],
    ['images in links', `${'[![a]('.repeat(300)}${'](b)'.repeat(300)}`],
    ['struck out texts', '~~a'.repeat(20_000)],
    ['a table', `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${`${'|a'.repeat(300)}|\n`.repeat(100)}`],
  ])('survives %s', (_, text) => {
    expect(renderMarkdown(`${text} end`)).toContain('end');
  });

  it('fills no table of 64 KiB up to millions of cells: a table that is too large is text', () => {
    const table = (columns: number, rows: number) => `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b\n'.repeat(rows)}`;
    expect(renderMarkdown(table(100, 150)).match(/<t[dh]>/g)).toHaveLength(15_100);
    const wide = renderMarkdown(table(1_000, 2_000));
    expect(wide).not.toContain('<table>');
    expect(wide.length).toBeLessThan(20_000);
  });

  it.each(['**a ', '*a_ ', '_a ', '~~a ', '[a](', '<a ', '['])(
    'looks for the end of a mark in a bounded number of characters, also where %o is repeated in each paragraph',
    (mark) => {
      let looked = 0;
      onTestFinished(() => void vi.restoreAllMocks());
      for (const name of ['emStrong', 'del', 'link', 'tag'] as const) {
        const reads = Tokenizer.prototype[name] as (...given: unknown[]) => undefined;
        vi.spyOn(Tokenizer.prototype, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
          looked += String(given[0]).length;
          return reads.apply(this, given);
        });
      }
      renderMarkdown(`${mark.repeat(8_000 / mark.length)}\n\n`.repeat(8));
      expect(looked).toBeLessThan(1_000_000);
    },
  );

  it('reads the first 64 KiB of a text of 1 MB, and shows its other lines as they are', () => {
    const html = renderMarkdown('**line** <b>\n\n'.repeat(75_000));
    expect(html.match(/<strong>/g)?.length).toBeLessThan(6_000);
    expect(html).toMatch(/<\/p>\n<pre>\*\*line\*\* &lt;b&gt;\n/);
    expect(html.match(/line/g)).toHaveLength(75_000);
  });
});

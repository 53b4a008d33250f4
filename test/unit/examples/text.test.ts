import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { TimeBox } from '../../../examples/toolkits/shared/time-box.ts';
import { htmlToMarkdown, jsonToYaml, markdownToHtml, yamlToJson } from '../../../examples/toolkits/text/documents.ts';
import { csvToJson, jsonToCsv } from '../../../examples/toolkits/text/tables.ts';
import type { TextTasks } from '../../../examples/toolkits/text/tasks.ts';
import { changeCase, encodeText, extract, textStatistics } from '../../../examples/toolkits/text/words.ts';

test('CSV becomes rows by the names of its columns', () => {
  expect(csvToJson({ csv: 'name;note\nAda;"a ""b""; c"\n', delimiter: ';' })).toEqual({
    columns: ['name', 'note'],
    rows: [{ name: 'Ada', note: 'a "b"; c' }],
  });
  expect(Object.entries(csvToJson({ csv: '__proto__\nkept' }).rows[0] ?? {})).toEqual([['__proto__', 'kept']]);
});

test('bad CSV is refused with the reason', () => {
  expect(() => csvToJson({ csv: '' })).toThrow(expect.objectContaining({ code: 'EMPTY' }));
  expect(() => csvToJson({ csv: 'a,a\n1,2' })).toThrow(/Two columns are named "a"/);
  expect(() => csvToJson({ csv: 'a,b\n1,2,3' })).toThrow(expect.objectContaining({ code: 'BAD_CSV' }));
  expect(() => csvToJson({ csv: 'a\n"open' })).toThrow(expect.objectContaining({ code: 'BAD_CSV' }));
});

test('rows survive the way to CSV and back', () => {
  const cell = fc.string({ minLength: 1 }).map((text) => `<${text}>`);
  const rows = fc.array(fc.record({ one: cell, 'two, "three"': cell }), { minLength: 1 });
  fc.assert(
    fc.property(rows, (table) => {
      expect(csvToJson({ csv: jsonToCsv({ rows: table }).csv }).rows).toEqual(table);
    }),
  );
});

test('rows with different keys share all columns', () => {
  expect(jsonToCsv({ rows: [{ a: 1 }, { b: { c: [2] } }] }).csv).toBe('a,b\r\n1,\r\n,"{""c"":[2]}"');
});

test('YAML and JSON', () => {
  expect(yamlToJson({ yaml: 'list: [1, two]\n' })).toEqual({ value: { list: [1, 'two'] } });
  expect(jsonToYaml({ value: { list: [1, 'two'] } })).toEqual({ yaml: 'list:\n  - 1\n  - two\n' });
  expect(() => yamlToJson({ yaml: 'a: [1' })).toThrow(expect.objectContaining({ code: 'BAD_YAML' }));
  expect(() => yamlToJson({ yaml: 'a: &loop [*loop]' })).toThrow(expect.objectContaining({ code: 'BAD_YAML' }));
});

test('YAML that would unfold to gigabytes is refused', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level += 1)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  expect(() => yamlToJson({ yaml: lines.join('\n') })).toThrow(expect.objectContaining({ code: 'BAD_YAML' }));
});

test('Markdown and HTML', () => {
  expect(markdownToHtml({ markdown: '# Hello\n\n*you*' }).html).toBe('<h1>Hello</h1>\n<p><em>you</em></p>\n');
  expect(htmlToMarkdown({ html: '<h1>Hello</h1><p><em>you</em></p><script>alert(1)</script>' }).markdown).toBe('# Hello\n\n_you_');
});

test('a document that keeps a library busy for minutes is stopped', async () => {
  const box = new TimeBox<TextTasks>(new URL('../../../examples/toolkits/text/tasks.ts', import.meta.url), {
    timeoutMs: 300,
    memoryMegabytes: 128,
  });
  onTestFinished(() => box.close());
  const nested = '<div>'.repeat(50_000);
  await expect(box.run('htmlToMarkdown', { html: nested })).rejects.toMatchObject({
    code: expect.stringMatching(/TOO_DEEP|TOO_MUCH_WORK/),
  });
  expect(await box.run('htmlToMarkdown', { html: '<b>fine</b>' })).toEqual({ markdown: '**fine**' });
});

test('words are counted as people count them', () => {
  expect(textStatistics('Hello, world. Hello 👩‍🚀!\n\nBye.')).toMatchObject({ words: 4, differentWords: 3, sentences: 3, paragraphs: 2 });
  expect(textStatistics('👩‍🚀').characters).toBe(1);
  expect(textStatistics('')).toMatchObject({ words: 0, sentences: 0, mostFrequent: [] });
});

test('addresses, numbers and dates are found, each once', () => {
  const text = 'Ask ada@example.com or ada@example.com, see https://example.com/a?b=1. #tea on 2026-03-10 for 4,50';
  expect(extract({ text })).toMatchObject({
    emails: ['ada@example.com'],
    urls: ['https://example.com/a?b=1'],
    hashtags: ['#tea'],
    dates: ['2026-03-10'],
  });
  expect(extract({ text, kinds: ['emails'] })).toEqual({ emails: ['ada@example.com'] });
});

test.each([
  ['camel', 'helloBigWorld2'],
  ['pascal', 'HelloBigWorld2'],
  ['snake', 'hello_big_world_2'],
  ['kebab', 'hello-big-world-2'],
  ['constant', 'HELLO_BIG_WORLD_2'],
  ['title', 'Hello Big World 2'],
  ['sentence', 'Hello big world 2'],
] as const)('%s case', (to, expected) => {
  expect(changeCase({ text: 'helloBig_world 2', to }).text).toBe(expected);
});

test('encodings', () => {
  expect(encodeText({ text: 'é', as: 'base64' }).text).toBe('w6k=');
  expect(encodeText({ text: 'é', as: 'url' }).text).toBe('%C3%A9');
  expect(encodeText({ text: '\ud800', as: 'url' }).text).toBe('%EF%BF%BD');
  expect(encodeText({ text: '', as: 'sha256' }).text).toMatch(/^e3b0c442/);
});

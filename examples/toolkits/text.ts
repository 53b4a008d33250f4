/**
 * Text and data conversion, by csv-parse, yaml, marked and turndown.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/text.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { answering } from './shared/answering.ts';
import { Refusal } from './shared/refusal.ts';
import { reportLoss, serve } from './shared/serve.ts';
import { TimeBox } from './shared/time-box.ts';
import type { TextTasks } from './text/tasks.ts';
import { CASES, ENCODINGS, KINDS } from './text/words.ts';

const READ_ONLY = { readOnly: true, idempotent: true };
/** Each of them may need a process of its own. */
const CONCURRENCY = 4;
const text = z.string().max(200_000);
const delimiter = z.enum([',', ';', '\t', '|']).exactOptional().describe('Separator of the values; default: a comma');

const box = new TimeBox<TextTasks>(new URL('./text/tasks.ts', import.meta.url), { timeoutMs: 3_000, memoryMegabytes: 256 });
const toolkit = new Toolkit({ concurrency: CONCURRENCY, onStatus: reportLoss });

toolkit.action(
  {
    action: 'csv_to_json',
    actionDescription: 'Reads CSV or TSV into a list of JSON rows; the first line names the columns. All values stay texts.',
    payloadDescription: z.object({ csv: text, delimiter }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('csvToJson', payload)),
);

toolkit.action<{ rows: Record<string, unknown>[]; delimiter?: string }>(
  {
    action: 'json_to_csv',
    actionDescription: 'Turns a list of JSON rows into CSV text for spreadsheets, with a line of column names and correct quoting.',
    payloadDescription: {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          items: { type: 'object' },
          maxItems: 10_000,
          description: 'One object per line: [{"name": "Ada", "age": 36}]',
        },
        delimiter: { enum: [',', ';', '\t', '|'], description: 'Between the values; default: a comma' },
      },
      required: ['rows'],
    },
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('jsonToCsv', payload)),
);

toolkit.action(
  {
    action: 'yaml_to_json',
    actionDescription: 'Reads a YAML document, such as a configuration file, into JSON; reports line and column of a mistake.',
    payloadDescription: z.object({ yaml: text }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('yamlToJson', payload)),
);

toolkit.action<{ value?: unknown }>(
  {
    action: 'json_to_yaml',
    actionDescription: 'Writes any JSON value as YAML, for configuration files and for reading by people.',
    payloadDescription: { value: { description: 'Any JSON: an object, a list, a text, a number', required: true } },
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('jsonToYaml', payload)),
);

toolkit.action(
  {
    action: 'markdown_to_html',
    actionDescription:
      'Turns Markdown (with tables) into HTML. HTML inside the Markdown is kept as it is: clean the result before others see it.',
    payloadDescription: z.object({ markdown: text }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('markdownToHtml', payload)),
);

toolkit.action(
  {
    action: 'html_to_markdown',
    actionDescription:
      'Turns HTML, such as a web page or an e-mail, into Markdown that is short and easy to read. Scripts and styles are left out.',
    payloadDescription: z.object({ html: text }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('htmlToMarkdown', payload)),
);

toolkit.action(
  {
    action: 'text_statistics',
    actionDescription:
      'Counts the characters, words, sentences and paragraphs of a text, its most frequent words, and the minutes to read it.',
    // A description in plain words is shown to models and never checked, so the handler looks for itself.
    payloadDescription: 'An object with the text to count: {"text": "…"}, at most 200,000 characters',
    annotations: READ_ONLY,
  },
  answering((payload) => {
    const { success, data } = z.object({ text }).safeParse(payload);
    if (!success) throw new Refusal('NO_TEXT', 'Send {"text": "…"} with at most 200,000 characters');
    return box.run('textStatistics', data.text);
  }),
);

toolkit.action(
  {
    action: 'extract_from_text',
    actionDescription: 'Finds e-mail addresses, URLs, numbers, ISO dates and hashtags in a text, each once and in order.',
    payloadDescription: z.object({
      text,
      kinds: z.array(z.enum(KINDS)).min(1).exactOptional().describe('Kinds to look for; default: all'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('extract', payload)),
);

toolkit.action(
  {
    action: 'change_case',
    actionDescription:
      'Writes a name or a title in another case: camelCase, PascalCase, snake_case, kebab-case, CONSTANT_CASE, Title Case.',
    payloadDescription: z.object({ text: z.string().min(1).max(1_000), to: z.enum(CASES) }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('changeCase', payload)),
);

toolkit.action(
  {
    action: 'encode_text',
    actionDescription: 'Encodes a text as base64, hex or for a URL, or gives its SHA-256 hash in hex.',
    payloadDescription: z.object({ text, as: z.enum(ENCODINGS) }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('encodeText', payload)),
);

await box.warmUp();
await serve(toolkit, {
  name: 'Text and data',
  description: 'Converts between CSV, JSON, YAML, Markdown and HTML; counts, searches and encodes text.',
  onStop: () => box.close(),
});

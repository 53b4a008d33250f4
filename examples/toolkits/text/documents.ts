import { Marked } from 'marked';
import TurndownService from 'turndown';
import { parse, stringify } from 'yaml';
import { Refusal, reason } from '../shared/refusal.ts';

export function yamlToJson({ yaml }: { yaml: string }) {
  try {
    const value: unknown = parse(yaml);
    // An anchor may hold itself, which JSON cannot say: find out now.
    JSON.stringify(value);
    return { value: value ?? null };
  } catch (error) {
    throw new Refusal('BAD_YAML', `${reason(error)}. Send one YAML document`);
  }
}

export function jsonToYaml({ value }: { value?: unknown }) {
  return { yaml: stringify(value ?? null) };
}

const marked = new Marked();

export function markdownToHtml({ markdown }: { markdown: string }) {
  return { html: guarded(() => marked.parse(markdown, { async: false })) };
}

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' }).remove(['script', 'style']);

export function htmlToMarkdown({ html }: { html: string }) {
  return { markdown: guarded(() => turndown.turndown(html)) };
}

function guarded(convert: () => string): string {
  try {
    return convert();
  } catch (error) {
    // Both libraries call themselves for every level of nesting.
    if (error instanceof RangeError) throw new Refusal('TOO_DEEP', 'The document is nested too deeply; send a part of it');
    throw error;
  }
}

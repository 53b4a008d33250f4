/**
 * Texts that instruct the model instead of describing the action: how a toolkit would take over an agent, or push its way before others.
 *
 * It finds the plain cases and proves nothing: a determined author can hide an instruction. Descriptions stay data for the service either way.
 */
import type { JsonSchema } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';
import type { ActionRule } from './action-rule';
import { schemaProperties } from './schema-properties';

/** A part of one sentence; bounded, so that no text makes a pattern slow. */
const NEAR = '[^.!?\\n]{0,40}';

function phrase(source: string): RegExp {
  return new RegExp(source.replaceAll(' … ', `\\b${NEAR}\\b`), 'i');
}

const TAKES_OVER = [
  phrase(
    '\\b(?:ignore|disregard|forget|override) … (?:previous|prior|above|earlier|preceding|other|system|your) … (?:instruction|prompt|rule|direction|guideline)s?\\b',
  ),
  phrase("\\b(?:do not|don't|never) (?:tell|inform|mention|reveal|notify) … (?:user|human|person)\\b"),
  phrase("\\b(?:do not|don't|never) (?:use|call|invoke) … (?:other|another) (?:tool|action|function|toolkit|server)s?\\b"),
  phrase('\\byou are now (?:an?|the|in)\\b'),
  /<\s*\/?\s*(?:important|system|instructions?|assistant|secret)\s*>/i,
  /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/i,
];
const PUSHES_AHEAD = [
  phrase('\\balways (?:use|call|invoke|run|prefer|choose|pick|select) (?:this|it|me)\\b'),
  phrase(
    '\\b(?:use|call|invoke|run|choose|prefer) (?:this|it|me) … (?:first|before|instead of|over) (?:any|all|every|each|the)?\\s?(?:other|others|else)\\b',
  ),
  phrase('\\b(?:this|the) (?:tool|action|function) (?:must|should|has to) always be (?:used|called|invoked)\\b'),
];

const MOST_QUOTED_CHARS = 80;

export const instructsModel: ActionRule = ({ description, payloadSchema, resultSchema = {} }) => {
  return inText(description) ?? inText([...textsOf(payloadSchema), ...textsOf(resultSchema)].join('\n'));
};

export function inText(text: string): Omit<LintFinding, 'action'> | undefined {
  const takesOver = firstMatch(TAKES_OVER, text);
  const quote = takesOver ?? firstMatch(PUSHES_AHEAD, text);
  if (quote === undefined) return undefined;
  return {
    rule: 'instructs-model',
    severity: takesOver === undefined ? 'warning' : 'error',
    message: `The text ${JSON.stringify(quote.slice(0, MOST_QUOTED_CHARS))} gives orders to the model that reads it`,
    hint: 'Say what the action does and when it fits, and leave the choice to the model: agents and their owners distrust a text that commands',
  };
}

function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match[0];
  }
  return undefined;
}

function textsOf(schema: JsonSchema): string[] {
  const parts = [schema, ...schemaProperties(schema).flatMap((property) => property.parts)];
  return parts.flatMap(({ title, description }) => [title, description]).filter((text) => typeof text === 'string');
}

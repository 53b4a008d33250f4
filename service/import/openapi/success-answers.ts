/**
 * The answers of an operation that mean success: those of 2xx, the lowest first and `2XX` last. An operation without any has its `default` instead.
 *
 * Source: OpenAPI 3.1.1, Responses Object.
 */
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { mediaTypeOf } from './answer-value';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';

export interface SuccessAnswer {
  status: string;
  /** Media types with their schemas. Empty: no content, or none that the document describes. */
  content: readonly AnswerContent[];
}

export interface AnswerContent {
  /** Has its parameters, such as `application/json; charset=utf-8`. */
  mediaType: string;
  /** Undefined: any. References stay. */
  schema: unknown;
  /** OpenAPI 3.2: the schema of each item of a sequence. */
  itemSchema: unknown;
}

const MEDIA_TYPE = /^[\w.+*-]+\/[\w.+*-]+(?:;[\x20-\x7e]*)?$/;

export function successAnswers({ responses }: Operation, document: OpenapiDocument): SuccessAnswer[] {
  const success = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  const statuses = success.length > 0 ? success.sort((one, other) => (one < other ? -1 : 1)) : ['default'];
  return statuses
    .filter((status) => Object.hasOwn(responses, status))
    .map((status) => ({ status, content: contentOf(responses[status], document) }));
}

function contentOf(response: unknown, document: OpenapiDocument): AnswerContent[] {
  const content = document.object(response)?.content;
  const types = Object.entries(isObject(content) ? content : {}).filter(([type]) => MEDIA_TYPE.test(type));
  return types.map(([mediaType, media]) => {
    const { schema, itemSchema }: JsonObject = document.object(media) ?? {};
    return { mediaType, schema, itemSchema };
  });
}

/** The value of `Accept`: a media type of a success in the document, JSON first. */
export function acceptOf(answers: readonly SuccessAnswer[]): string {
  const types = answers.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)).filter((type) => !type.startsWith('*'));
  return types.find(isJsonType) ?? types[0] ?? '*/*';
}

export function isJsonType(mediaType: string): boolean {
  return /\bjson\b/.test(mediaTypeOf(mediaType));
}

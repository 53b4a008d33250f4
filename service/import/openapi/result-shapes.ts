/**
 * The shapes of the results of operations, as `resultOfResponse` makes them of HTTP answers.
 *
 * Shape: JSON Schema of any root. Undefined: the document does not say, or says nothing that a reader can use.
 */
import type { JsonSchema } from 'svc-sdk';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { isJsonLines, isTextType, mediaTypeOf } from './answer-value';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';
import { slimResult } from './slim-result';
import { type AnswerContent, acceptOf, isJsonType, type SuccessAnswer } from './success-answers';

/** The result of an answer without content. */
const STATUS: JsonSchema = { type: 'object', properties: { status: { type: 'integer' } }, required: ['status'] };
/** The result of bytes. More than 200,000 of them come without their content. */
const BYTES: JsonSchema = {
  type: 'object',
  properties: { contentType: { type: 'string' }, bytes: { type: 'integer' }, base64: { type: 'string' } },
  required: ['contentType', 'bytes'],
};
const TEXT: JsonSchema = { type: 'string' };

/** Types whose bytes are never read as a text. */
const BYTES_TYPE = /^(?:image\/(?!.*xml)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|x-gzip|vnd\.openxmlformats))/;
const STRUCTURES = ['object', 'array'];

export class ResultShapes {
  readonly #document: OpenapiDocument;
  /** JSON of a schema -> its shape: many operations have the same answer. */
  readonly #known = new Map<string, JsonSchema | undefined>();

  constructor(document: OpenapiDocument) {
    this.#document = document;
  }

  of({ method }: Operation, answers: readonly SuccessAnswer[]): JsonSchema | undefined {
    if (method === 'HEAD') return STATUS;
    const [json] = answers.flatMap(({ content }) =>
      content.filter((each) => isJsonType(each.mediaType) && isObject(each.schema)).slice(0, 1),
    );
    if (json && !isJsonLines(json.mediaType)) return this.#ofSchema(json.schema as JsonObject);
    if (answers.length > 0 && answers.every(hasNoContent)) return STATUS;
    const accept = acceptOf(answers);
    const content = answers.flatMap((answer) => answer.content).find(({ mediaType }) => mediaType === accept || mediaType === '*/*');
    return content && this.#ofContent(content);
  }

  #ofContent({ mediaType, schema, itemSchema }: AnswerContent): JsonSchema | undefined {
    const type = mediaTypeOf(mediaType);
    const item = itemSchema ?? schema;
    if (isJsonLines(type)) return isObject(item) ? this.#ofSchema({ type: 'array', items: item }) : undefined;
    if (isJsonType(type)) return undefined;
    if (BYTES_TYPE.test(type)) return BYTES;
    if (isTextType(type)) return TEXT;
    // `*/*` of a structure is JSON in the APIs that declare it; of anything else it may be a text.
    const shape = type === '*/*' && isObject(schema) ? this.#ofSchema(schema) : undefined;
    return STRUCTURES.includes(String(shape?.type)) ? shape : undefined;
  }

  #ofSchema(schema: JsonObject): JsonSchema | undefined {
    const { type, format } = this.#document.object(schema) ?? {};
    // A file under a type of JSON is anything.
    if (type === 'file' || format === 'binary') return undefined;
    const key = JSON.stringify(schema);
    if (!this.#known.has(key)) this.#known.set(key, slimResult(schema, this.#document));
    return this.#known.get(key);
  }
}

function hasNoContent({ status, content }: SuccessAnswer): boolean {
  return content.length === 0 && ['204', '205'].includes(status);
}

/** Small documents, and what the importer makes of them. */
import { type ImportOpenapiOptions, importOpenapi } from 'svc-service/import';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { toPayloadSchema } from '../../../src/payload/payload-schema';

export const BASE_URL = 'https://api.example.com/v1';

export function documentOf(paths: object, more: object = {}) {
  return { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, servers: [{ url: BASE_URL }], paths, ...more };
}

/** The actions by name. Each schema passes the service's own check. */
export function actionsOf(document: unknown, options: ImportOpenapiOptions = {}) {
  const { actions } = importOpenapi(document, { toolkitId: 'pets', ...options });
  return Object.fromEntries(
    actions.map((action) => {
      toPayloadSchema(action.payloadDescription, DEFAULT_LIMITS);
      return [action.action, action];
    }),
  );
}

/** The payload schema of `POST /pets` with that body. */
export function schemaOfBody(schema: object, schemas: object = {}, media: object = {}) {
  const post = {
    operationId: 'add',
    requestBody: { required: true, content: { 'application/json': { schema, ...media } } },
    responses: {},
  };
  return actionsOf(documentOf({ '/pets': { post } }, { components: { schemas } })).add?.payloadDescription;
}

/**
 * The address of a call and the place of each value in the document, in lines for people. They are pinned: an action with a changed line is held.
 *
 * Shape:  only content of the document. The operator's settings (`baseUrl`, `auth`, `headers`) and secrets are not in it.
 */
import { writeCanonicalJson } from '#sdk/tools/json';
import { addressText, namedServer, serverUrl } from './base-url';
import type { OpenapiDocument } from './document';
import type { Operation } from './operations';
import type { PayloadPlan, PlannedBody } from './payload-plan';

export interface DescribedRequest {
  payload: PayloadPlan;
  /** The places of each requirement: `token: header authorization (bearer)`. */
  credentials: readonly string[];
  /** The path of the operation's own server; undefined: that of the toolkit. */
  ownBasePath: string | undefined;
}

export function requestLines(operation: Operation, request: DescribedRequest, document: OpenapiDocument): string[] {
  const { method, path, servers } = operation;
  const { payload, credentials, ownBasePath } = request;
  const server = servers?.map(serverUrl).find((url) => url !== undefined) ?? namedServer(document);
  return [
    `${method} ${server ? addressText(server) : ''}${path}`,
    ...(ownBasePath === undefined ? [] : [`base path ${ownBasePath || '/'}`]),
    ...(credentials.length === 0 ? [] : [`credential ${credentials.join(', or ')}`]),
    ...payload.parameters.map(parameterLine).sort(),
    ...(payload.body ? bodyLines(payload.body) : []),
  ];
}

function parameterLine({ field, parameter }: PayloadPlan['parameters'][number]): string {
  const { in: place, name, style, explode, isJson } = parameter;
  const how = isJson ? 'JSON' : explode ? `${style}, explode` : style;
  return `${place} ${name} (${how})${fromField(field, name)}`;
}

function bodyLines({ mediaType, kind, field, encoding }: PlannedBody): string[] {
  const parts = Object.entries(encoding).map(([name, how]) => `body field ${name} ${writeCanonicalJson(how)}`);
  return [`body ${mediaType || 'of any type'} (${kind})${fromField(field ?? 'body', 'body')}`, ...parts.sort()];
}

function fromField(field: string, name: string): string {
  return field === name ? '' : ` from ${field}`;
}

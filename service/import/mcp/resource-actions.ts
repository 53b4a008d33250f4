/**
 * The resources of a server as two actions, `list_resources` and `read_resource`, for a server with resources.
 *
 * Shape: each call reads the list, because resources change. The URI templates are few and stable, so the description names them.
 * Source: Model Context Protocol 2025-11-25, server/resources.
 */
import type { Client } from '@modelcontextprotocol/client';
import type { JsonSchema } from 'svc-sdk';
import { readableText } from '#sdk/protocol/invisible-text';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { listAll, listPage } from './list-all';
import { LIST_RESOURCES, READ_RESOURCE } from './resource-methods';
import { readResourceResult } from './resource-result';
import { sendForCall } from './send-for-call';
import { type ServerAction, serverAction } from './server-action';

const MAX_TEMPLATES = 50;
const MAX_TEMPLATE_CHARS = 300;
const SHOWN = ['uri', 'name', 'title', 'description', 'mimeType', 'size'];
const READS = { readOnly: true };

const LIST_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { cursor: { type: 'string', description: 'nextCursor of the answer before, for its next page' } },
};
const READ_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { uri: { type: 'string', description: 'URI of the resource' } },
  required: ['uri'],
};

export async function resourceActions(client: Client): Promise<ServerAction[]> {
  if (!client.getServerCapabilities()?.resources) return [];
  const templates = await templatesOf(client);
  if (templates.length === 0 && !(await hasResources(client))) return [];
  return [listAction, readAction(templates)];
}

const listAction = serverAction(
  LIST_RESOURCES,
  'list_resources',
  {
    actionDescription: 'Lists the resources of this server: files, records and other data that read_resource reads by their URI.',
    payloadDescription: LIST_SCHEMA,
    annotations: READS,
  },
  async (client, ctx, payload) => {
    const cursor = isObject(payload) && typeof payload.cursor === 'string' ? payload.cursor : undefined;
    const page = await sendForCall(ctx, (options) => listPage(client, LIST_RESOURCES, 'resources', cursor, options));
    const { items, nextCursor } = page;
    return { resources: items.filter(isObject).map(shownResource), ...(nextCursor !== undefined && { nextCursor }) };
  },
);

/** The icons of a resource may be whole images. */
function shownResource(resource: JsonObject): JsonObject {
  return Object.fromEntries(SHOWN.filter((name) => resource[name] !== undefined).map((name) => [name, resource[name]]));
}

function readAction(templates: readonly string[]): ServerAction {
  const lines = ['Reads a resource of this server by its URI, which list_resources and the links in results have.'];
  if (templates.length > 0) lines.push('Other URIs follow these templates:', ...templates.map((template) => `- ${template}`));
  const text = {
    actionDescription: lines.join('\n').slice(0, DEFAULT_LIMITS.descriptionChars),
    payloadDescription: READ_SCHEMA,
    annotations: READS,
  };
  return serverAction(READ_RESOURCE, 'read_resource', text, async (client, ctx, payload) => {
    const uri = isObject(payload) ? String(payload.uri) : '';
    return readResourceResult(ctx, await sendForCall(ctx, (options) => client.readResource({ uri }, { ...options, cacheMode: 'bypass' })));
  });
}

/** Such as `file:///{path}: A file of the project`. A server with resources may have no templates. */
async function templatesOf(client: Client): Promise<string[]> {
  const templates = await listOrNothing(client, 'resources/templates/list', 'resourceTemplates', MAX_TEMPLATES);
  return templates
    .filter(isObject)
    .map(describeTemplate)
    .filter((text) => text !== '');
}

function describeTemplate({ uriTemplate, description, title, name }: JsonObject): string {
  const words = [description, title, name].find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof uriTemplate !== 'string') return '';
  return readableText(words === undefined ? uriTemplate : `${uriTemplate}: ${words}`)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEMPLATE_CHARS);
}

async function hasResources(client: Client): Promise<boolean> {
  return (await listOrNothing(client, 'resources/list', 'resources', 1)).length > 0;
}

async function listOrNothing(...args: Parameters<typeof listAll>): Promise<unknown[]> {
  const { items } = await listAll(...args).catch(() => ({ items: [] }));
  return items;
}

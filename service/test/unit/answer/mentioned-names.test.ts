import { expect, test } from 'vitest';
import type { JsonSchema } from '#sdk/protocol/http';
import { mentionedNames } from '../../../src/catalog/answer/mentioned-names';

const namesIn = (description: string, payloadSchema: JsonSchema = { type: 'object' }) =>
  mentionedNames({ toolkitId: 'projects', name: 'create_task', description, payloadSchema, annotations: {} });

test.each([
  ['Needs an id; get it with list_projects.', ['list_projects']],
  ['Needs an id; get it with listProjects().', ['listProjects']],
  ['See projects__list_projects, or tasks__list.', ['list_projects', 'tasks__list']],
  ['After `search` or "find"', ['search', 'find']],
  ['Search and get and find: plain words', []],
  ['create_task makes a task', []],
  ['list_projects, list_projects and list_projects', ['list_projects']],
])('%j names %j', (description, names) => {
  expect(namesIn(description)).toEqual(names);
});

test('descriptions of the payload count, its property names and values do not', () => {
  const payloadSchema = {
    type: 'object',
    properties: { list_things: { type: 'array', items: { description: 'id, from get_ids', enum: ['do_it'] } } },
  };
  expect(namesIn('Makes a task', payloadSchema)).toEqual(['get_ids']);
});

test('a text full of names costs a bounded number of catalogue lookups', () => {
  const description = Array.from({ length: 1_000 }, (_, i) => `name_${i}`).join(' ');
  expect(namesIn(description)).toHaveLength(50);
  expect(namesIn(description, { type: 'object', properties: { one: { description: 'see list_ones, list_twos' } } })).toHaveLength(50);
});

import { expect, test } from 'vitest';
import { filterActions } from '../../../import/action-filters';

const SOURCES = [
  { names: ['repos_get', 'repos/get'], tags: ['repos'], method: 'GET', path: '/repos/{owner}/{repo}' },
  { names: ['repos_delete', 'repos/delete'], tags: ['repos'], method: 'DELETE', path: '/repos/{owner}/{repo}' },
  { names: ['issues_list', 'issues/list'], tags: ['issues'], method: 'GET', path: '/issues' },
];
const chosen = (filters: { include?: string[]; exclude?: string[] }) => filterActions(SOURCES, filters).map(({ names }) => names[0]);

test.each([
  [['tag:issues'], ['issues_list']],
  [
    ['tag:ISSUES', 'repos_get'],
    ['repos_get', 'issues_list'],
  ],
  [['GET /repos/**'], ['repos_get']],
  [['* /repos/*/*'], ['repos_get', 'repos_delete']],
  [['/issues/**'], ['issues_list']],
  [['repos/*'], ['repos_get', 'repos_delete']],
  [['*_list'], ['issues_list']],
])('include %s', (include, names) => expect(chosen({ include })).toEqual(names));

test('exclude wins over include', () => {
  expect(chosen({ include: ['tag:repos'], exclude: ['DELETE /**'] })).toEqual(['repos_get']);
});

test('without filters all are chosen', () => expect(chosen({})).toHaveLength(3));

test.each(['include', 'exclude'])('%s with a filter that fits nothing names the tags', (option) => {
  expect(() => chosen({ [option]: ['tag:isues'] })).toThrow(`${option}: "tag:isues" fits no action; the tags are repos (2), issues (1)`);
});

test('a glob is not a regular expression', () => {
  expect(() => chosen({ include: ['repos.get'] })).toThrow('fits no action');
});

test.each([
  ['/repos/*/*', 'GET /repos/{owner}/{repo}', true],
  ['/repos/*', 'GET /repos/{owner}/{repo}', false],
  ['/repos/**', 'GET /repos', true],
  ['/repos/**', 'GET /repositories', false],
  ['/**/{repo}', 'GET /repos/{owner}/{repo}', true],
  ['/**', 'GET /', true],
  ['/re*s/**/{RE*}', 'GET /repos/{owner}/{repo}', true],
  ['/a**/c*', 'GET /a/b/c/d', false],
  ['/a*', 'GET /a/', false],
])('%s and %s: %s', (filter, operation, fits) => {
  const [method, path] = operation.split(' ');
  const choose = () => filterActions([{ names: ['a'], method, path }], { include: [filter] });
  if (fits) expect(choose()).toHaveLength(1);
  else expect(choose).toThrow('fits no action');
});

test('a filter with many "**" is compared in linear time with a long path', () => {
  const path = `/${'a'.repeat(20_000)}`;
  const source = { names: [path], method: 'GET', path };
  // A regular expression would try every way to split the path, which never ends.
  expect(() => filterActions([source], { include: [`/${'**a'.repeat(20)}b`] })).toThrow('fits no action');
  expect(() => filterActions([source], { include: [`*${'a*'.repeat(20)}b`] })).toThrow('fits no action');
  expect(filterActions([source], { include: [`/${'**a'.repeat(20)}`] })).toHaveLength(1);
});

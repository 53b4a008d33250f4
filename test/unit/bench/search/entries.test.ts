import { expect, test } from 'vitest';
import { toEntries } from '../../../../bench/retrieval/entries.ts';
import { actionLine, toolkitLine } from '../../../../bench/retrieval/lines.ts';
import { parseActionId } from '../../../../src/protocol/ids';

const action = (id: string, more: object = {}) => actionLine.parse({ id, src: 'a', ...more });
const toolkit = (id: string, name: string, more: object = {}) => toolkitLine.parse({ id, src: 'a', name, ...more });
const idsOf = (...lines: Parameters<typeof toEntries>) => toEntries(...lines).map(({ document }) => document.id);

test('an action is indexed with its own words and those of its toolkit', () => {
  const payload = { type: 'object', properties: { city: { type: 'string' } } };
  const [entry] = toEntries(
    [action('a/Sky Watch/getPM2.5', { toolkit: 'Sky Watch', name: 'getPM2.5', description: ' The air\u200B. ', payload })],
    [toolkit('a/sky', 'Sky Watch', { description: 'Weather' })],
  );
  expect(entry).toEqual({
    src: 'a',
    sourceId: 'a/Sky Watch/getPM2.5',
    document: {
      id: 'sky-watch__getPM2_5',
      toolkitId: 'sky-watch',
      toolkitName: 'Sky Watch',
      toolkitDescription: 'Weather',
      name: 'getPM2.5',
      description: 'The air.',
      payloadSchema: payload,
    },
  });
});

test('a toolkit is named by its name or its id, and one that is in no file has only its name', () => {
  const toolkits = [toolkit('a/sky', 'Sky Watch', { description: 'Weather' })];
  const entries = toEntries([action('1', { toolkit: 'a/sky' }), action('2', { toolkit: 'Elsewhere' })], toolkits);
  expect(entries.map(({ document }) => [document.toolkitName, document.toolkitDescription])).toEqual([
    ['Sky Watch', 'Weather'],
    ['Elsewhere', ''],
  ]);
});

test('every id is one that the service accepts, and no two are the same', () => {
  const names = ['x', 'X y', 'X_y', 'X/y', '天気', '', '../..', '__', 'n'.repeat(200), `${'n'.repeat(200)}2`, 'a\tb', '💥'];
  const actions = names.flatMap((name) => names.map((toolkit) => action(`${toolkit}/${name}`, { toolkit, name })));
  const ids = idsOf(actions, []);
  expect(new Set(ids).size).toBe(actions.length);
  for (const id of ids) expect(parseActionId(id), id).toBeDefined();
});

test('ids do not depend on the order of lines, nor on lines that stand there twice', () => {
  const actions = [
    action('1', { toolkit: 'Mail', name: 'send!' }),
    action('2', { toolkit: 'mail', name: 'send?' }),
    action('3', { toolkit: 'Mail' }),
  ];
  expect(idsOf(actions, [])).toEqual(['mail__send_', 'mail-2__send_', 'mail__3']);
  expect(idsOf([...actions, ...actions].reverse(), [])).toEqual(idsOf(actions, []));
});

test('the ids of a service stay what they are', () => {
  const actions = [actionLine.parse({ id: 'sky__getPM2_5', toolkit: 'sky' })];
  const [entry] = toEntries(actions, [toolkitLine.parse({ id: 'sky', name: 'Sky Watch' })]);
  expect(entry?.document).toMatchObject({ id: 'sky__getPM2_5', toolkitName: 'Sky Watch', name: 'getPM2_5' });
});

test('two sources may use the same ids for different actions', () => {
  const entries = toEntries([action('search', { src: 'a', toolkit: 'web' }), action('search', { src: 'b', toolkit: 'web' })], []);
  expect(entries.map(({ src, document }) => [src, document.id])).toEqual([
    ['a', 'web__search'],
    ['b', 'web-2__search'],
  ]);
});

test('a payload that the service would refuse leaves the action without one', () => {
  const [entry] = toEntries([action('1', { payload: { type: 'object', properties: 'none' } })], []);
  expect(entry?.document.payloadSchema).toEqual({ type: 'object', properties: {} });
});

import { expect, test } from 'vitest';
import { withFittingShapes } from '../../../import/fitting-shapes';
import type { NamedAction } from '../../../import/pins';

function actionWith(name: string, chars: number): NamedAction {
  const resultDescription = { type: 'string', description: 'x'.repeat(chars) };
  return {
    action: name,
    actionDescription: name,
    payloadDescription: { type: 'object' },
    annotations: {},
    resultDescription,
    handler: () => null,
  };
}

const shapesOf = (actions: readonly NamedAction[]) =>
  withFittingShapes(actions).map(({ resultDescription }) => resultDescription !== undefined);

test('a toolkit whose texts fit keeps all shapes, and a larger one loses the largest alone', () => {
  const MB = 1024 * 1024;
  expect(shapesOf([actionWith('a', 3 * MB), actionWith('b', 4 * MB)])).toEqual([true, true]);
  expect(shapesOf([actionWith('a', 3 * MB), actionWith('b', 4 * MB), actionWith('c', 2 * MB)])).toEqual([true, false, true]);
  expect(shapesOf([actionWith('a', 8 * MB), actionWith('b', 9 * MB), actionWith('c', 1)])).toEqual([false, false, true]);
});

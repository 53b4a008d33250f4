import { expect, test } from 'vitest';
import { allowed } from '../../../src/keys/allowed';

test('a key without a list may use everything', () => {
  expect(allowed({ allow: null }, 'weather__now')).toBe(true);
});

test('a list allows the actions it names and all actions of the toolkits it names', () => {
  const key = { allow: { toolkits: ['weather'], actions: ['maps__route', 'a___b'] } };
  expect(['weather__now', 'weather___hidden', 'maps__route', 'a___b'].map((id) => allowed(key, id))).toEqual([true, true, true, true]);
  expect(['maps__draw', 'weather-2__now', 'weather', 'WEATHER__now', '__proto__', ''].map((id) => allowed(key, id))).toEqual(
    Array(6).fill(false),
  );
});

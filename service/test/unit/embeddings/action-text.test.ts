import { expect, test } from 'vitest';
import { actionText } from '../../../src/embeddings/action-text';
import { action } from '../search/documents';

test('the text of an action is its toolkit, name in words, description and parameters', () => {
  const payloadSchema = { type: 'object', properties: { city: { type: 'string', description: 'Where it rains' } } };
  const text = actionText(action('weather__get-daily_forecast', { toolkitName: 'The Weather', description: 'Tells it', payloadSchema }));
  expect(text).toBe('The Weather: get daily forecast\nTells it\ncity\nWhere it rains');
});

test('a long text is cut without cutting a character', () => {
  const text = actionText(action('a__b', { description: '🌧️'.repeat(5_000) }));
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text.isWellFormed()).toBe(true);
});

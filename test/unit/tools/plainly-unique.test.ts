import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGloballyUnique } from '../../../src/tools/globally-unique';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = fc.constantFrom('', 'call_', 'call-', 'toolu_', 'toolu_01', 'chatcmpl-tool-', 'functions.get_weather:', 'tool_call_', 'id');

test.each([
  'call_9fKq2LmZ7xTb',
  'call_DdmO9pD3xa9XTPNJ32zg2hcA',
  'toolu_01A09q90qw90lq917835lq9',
  'toolu_01D7FLrfh4GYq7yT1ULFeyMV',
  'toolu_bdrk_01D7FLrfh4GYq7yT1ULFeyMV',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'F47AC10B-58CC-4372-A567-0E02B2C3D479',
  'call_f47ac10b-58cc-4372-a567-0e02b2c3d479',
  'chatcmpl-tool-23c5c0da71854f9bbd8774f7d0113a69',
  'chatcmpl-tool-b120ab7bad790b75',
  'fc_acb524ff2d12bdde2aec221c701106db5319eb2a24340e6b',
  '9kXbT2mQzR7vLwP4cNdY6sHjF3gK8tZq',
])('%s is plainly unique', (id) => {
  expect(isGloballyUnique(id)).toBe(true);
});

test.each([
  '',
  '0',
  '1',
  'call_0',
  'call_1',
  'call_000000000001',
  'call_4162774',
  'functions.get_weather:0',
  'get_weather',
  'get_weather-2',
  'getWeatherV2ForCity',
  'call_getWeatherForecastV2Citys',
  'call_iPhone15ProMax2024Orders',
  'call_abc123',
  'call_aB1cD2eF3gH4iJ5k',
  'call_a1B2c3D4e5F6',
  'VvvODy9mT',
  'call_49c89af0',
  '2026-11-21',
  '2026-11-21T09:28:22.123Z',
  'call_20261121T092822Z',
  '1795253302123',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-4000-8000-00000000a1b2',
  '123e4567-e89b-12d3-a456-426614174000',
  'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
  'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
  'call_9fKq2LmZ7xTb:0',
])('%s is not', (id) => {
  expect(isGloballyUnique(id)).toBe(false);
});

test('no counter is, however it is written', () => {
  const counter = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
    fc.nat().chain((count) => fc.integer({ min: 1, max: 40 }).map((width) => String(count).padStart(width, '0'))),
    fc.nat().chain((count) => fc.integer({ min: 1, max: 40 }).map((width) => count.toString(16).padStart(width, '0'))),
    fc.nat().map((count) => `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`),
  );
  fc.assert(fc.property(prefix, counter, (before, count) => !isGloballyUnique(before + count)));
});

test('no name of words and numbers is, in any case', () => {
  const word = fc.constantFrom(
    'get',
    'weather',
    'forecast',
    'send',
    'email',
    'to',
    'city',
    'list',
    'order',
    'by',
    'user',
    'of',
    'PDF',
    'V',
    'step',
  );
  const part = fc.tuple(word, fc.constantFrom('', '', '1', '2', '15', '2026')).map(([text, number]) => text + number);
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  // One unpronounceable abbreviation is allowed: random text has several.
  const name = fc.array(part, { minLength: 1, maxLength: 8 }).filter((parts) => parts.filter((text) => /PDF|V/.test(text)).length < 2);
  const written = name.chain((parts) =>
    fc.constantFrom(parts.join('_'), parts.join('-'), parts.join(''), parts.map(capital).join(''), parts.join('_').toUpperCase()),
  );
  fc.assert(
    fc.property(prefix, written, (before, text) => !isGloballyUnique(before + text)),
    { numRuns: 500 },
  );
});

test('no date or time is', () => {
  const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  const written = date.chain((at) =>
    fc.constantFrom(
      at.toISOString(),
      at.toISOString().replace(/\W/g, ''),
      at.toUTCString(),
      String(at.getTime()),
      at.toISOString().slice(0, 10),
    ),
  );
  fc.assert(fc.property(prefix, written, (before, text) => !isGloballyUnique(before + text)));
});

test('nearly every id of the big providers is, so that the key of a call mostly outlives its process', () => {
  const share = (make: () => string) => Array.from({ length: 2_000 }, make).filter(isGloballyUnique).length / 2_000;
  const random = (length: number) => Array.from(randomBytes(length), (byte) => BASE_62[byte % 62]).join('');

  expect(share(() => `call_${random(24)}`)).toBeGreaterThan(0.9);
  expect(share(() => `toolu_01${random(22)}`)).toBeGreaterThan(0.9);
  expect(share(() => randomUUID())).toBeGreaterThan(0.95);
  expect(share(() => `chatcmpl-tool-${randomUUID().replaceAll('-', '')}`)).toBeGreaterThan(0.95);
});

test('any text is judged, and a very long one quickly', () => {
  fc.assert(fc.property(fc.string(), (id) => typeof isGloballyUnique(id) === 'boolean'));
  expect(isGloballyUnique('a'.repeat(5_000_000))).toBe(false);
});

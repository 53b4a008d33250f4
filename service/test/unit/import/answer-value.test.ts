/** The value of an answer's content, by its content type and its bytes. */
import { describe, expect, test } from 'vitest';
import { answerValue } from '../../../import/openapi/answer-value';

const answered = (contentType: string, content: string | Buffer) => answerValue(Buffer.from(content as string), contentType);
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('charset', () => {
  test.each([
    ['text/plain; charset=iso-8859-1', latin1('caf\xe9'), 'café'],
    ['text/plain; Charset="ISO-8859-1"', latin1('caf\xe9'), 'café'],
    ['text/csv; charset=windows-1252', latin1('n;\x80 5\n'), 'n;€ 5\n'],
    ['application/toml; charset=windows-1252', latin1('a = "\x80"'), 'a = "€"'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['application/xml; charset=utf-16', utf16('<a>é</a>'), '<a>é</a>'],
    ['text/plain; charset=utf-16be', utf16('é').swap16(), 'é'],
    ['application/json; charset=iso-8859-1', latin1('{"a":"caf\xe9"}'), { a: 'café' }],
    ['application/json; charset=utf-16', utf16('{"a":1}'), { a: 1 }],
  ])('%s is honoured', (type, content, value) => expect(answered(type, content)).toEqual(value));

  test.each([
    ['a byte order mark', 'text/plain; charset=iso-8859-1', '\ufeffcafé', 'café'],
    ['JSON that is UTF-8', 'application/json; charset=iso-8859-1', '{"a":"café"}', { a: 'café' }],
    ['an unknown name', 'text/plain; charset=latin-9000', 'café', 'café'],
    ['an unknown name of another encoding', 'text/plain; charset=latin-9000', latin1('caf\xe9'), 'café'],
    ['no name of another encoding', 'text/html', latin1('caf\xe9'), 'café'],
    ['a fault in UTF-8', 'text/plain', Buffer.concat([Buffer.from('é'), Buffer.from([0xe9]), Buffer.from('!')]), 'é\ufffd!'],
  ])('%s decides in its place', (_name, type, content, value) => expect(answered(type, content)).toEqual(value));
});

test.each([
  ['application/octet-stream', 'a: 1'],
  ['binary/octet-stream', 'plain text'],
  ['', 'plain text'],
  ['application/toml', 'a = 1'],
  ['application/x-sh', 'echo 1'],
  ['application/javascript', 'a()'],
  ['application/x-yaml', 'a: 1'],
  ['application/rtf', '{\\rtf1 hi}'],
  ['application/x-made-up', 'é\t\r\n'],
  ['text/event-stream', 'data: {"a":1}\n\n'],
  ['text/plain', '{"a":1}'],
])('UTF-8 without controls is text, also as %j', (type, content) => expect(answered(type, content)).toBe(content));

test.each([
  ['application/msgpack', Buffer.from([0x81, 0xa1, 0x61, 0x01])],
  ['application/octet-stream', Buffer.from([0x08, 0x96, 0x01])],
  ['image/png; charset=utf-8', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['application/pdf; charset=iso-8859-1', Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xe2])],
  ['text/plain', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00, 0xff])],
])('%s with other bytes is none', (type, content) => expect(answered(type, content)).toBeUndefined());

describe('JSON', () => {
  test.each([
    ['application/vnd.api+json', '{"a":1}', { a: 1 }],
    ['application/json', '\ufeff{"a":1}', { a: 1 }],
    ['application/json', ')]}\',\n{"a":1}', { a: 1 }],
    ['application/octet-stream', ' {"a":1}', { a: 1 }],
    ['', '[1]', [1]],
    ['application/json', '12', 12],
    ['application/json', 'null', null],
    ['application/json', '{"a":1}{"b":2}', '{"a":1}{"b":2}'],
    ['', '12', '12'],
    ['', '{oops', '{oops'],
  ])('%j with %j', (type, content, value) => expect(answered(type, content)).toEqual(value));

  test.each([
    ['application/x-ndjson', '{"a":1}\n{"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
    ['application/jsonl; charset=utf-8', '{"a":1}\n', [{ a: 1 }]],
    ['application/json-seq', '\x1e{"a":1}\n\x1e{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['application/stream+json', '{"id":12345678901234567890}', [{ id: '12345678901234567890' }]],
    ['application/json', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['application/x-ndjson', '{"a":1}\noops', '{"a":1}\noops'],
  ])('lines of %s are a list when each is JSON: %j', (type, content, value) => expect(answered(type, content)).toEqual(value));
});

import { type CallToDescribe, describeCall } from 'svc-sdk';
import { describe, expect, test } from 'vitest';
import { hashKey, readKey } from '../../service/src/keys/key-text';
import { DescriptionFault } from '../../service/src/payload/description-fault';
import { toPayloadSchema } from '../../service/src/payload/payload-schema';
import { toResultSchema } from '../../service/src/payload/result-schema';
import { estimateTokens } from '../../src/protocol/estimate-tokens';
import { formatActionId, parseActionId, toToolkitId } from '../../src/protocol/ids';
import { DEFAULT_LIMITS } from '../../src/protocol/limits';
import { shortType, toType } from '../../src/protocol/to-type';
import { iconTypeOf, type ProfileMember, profileProblem, TOOLKIT_CATEGORIES } from '../../src/protocol/toolkit-profile';
import { type ModelUsage, readUsage, writeUsage } from '../../src/protocol/usage';
import { vector } from '../support/vectors';

describe('keys.json', () => {
  const keys = vector<{ good: { key: string; kind: string; sha256: string }[]; bad: { key: string; why: string }[] }>('keys');
  test.each(keys.good)('$key is good', ({ key, kind, sha256 }) => {
    expect(readKey(key)).toMatchObject({ kind });
    expect(hashKey(key)).toBe(sha256);
  });
  test.each(keys.bad)('$key is none: $why', ({ key }) => {
    expect(readKey(key)).not.toHaveProperty('kind');
  });
});

describe('action-ids.json', () => {
  const ids = vector<{
    actionIds: { id: string; toolkit: string; action: string }[];
    notActionIds: string[];
    toolkitIdsFromNames: { name: string; id: string }[];
  }>('action-ids');
  test.each(ids.actionIds)('$id', ({ id, toolkit, action }) => {
    expect(parseActionId(id)).toEqual({ toolkitId: toolkit, actionName: action });
    expect(formatActionId(toolkit, action)).toBe(id);
  });
  test.each(ids.notActionIds)('%j is not an action id', (id) => {
    expect(parseActionId(id)).toBeUndefined();
  });
  test.each(ids.toolkitIdsFromNames)('$name becomes $id', ({ name, id }) => {
    expect(toToolkitId(name)).toBe(id);
  });
});

describe('usage.json', () => {
  const usage = vector<{
    written: { usage: ModelUsage[]; header: string }[];
    read: { header: string; usage: ModelUsage[] }[];
    refused: { header: string; message: string }[];
  }>('usage');
  test.each(usage.written)('$header is written', ({ usage: reports, header }) => {
    expect(writeUsage(reports)).toBe(header);
    expect(readUsage(header)).toEqual(reports);
  });
  test.each(usage.read)('$header is read', ({ header, usage: reports }) => expect(readUsage(header)).toEqual(reports));
  test.each(usage.refused)('$header is refused', ({ header, message }) => {
    expect(() => readUsage(header)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message }));
  });
});

describe('toolkit-profiles.json', () => {
  type Value = { member: ProfileMember; text?: string; prefix?: string; repeat?: string; times?: number };
  const profiles = vector<{
    categories: string[];
    good: Value[];
    refused: (Value & { problem: string })[];
    icons: { base64: string; type?: string }[];
  }>('toolkit-profiles');
  const textOf = ({ text, prefix = '', repeat = '', times = 0 }: Value) => text ?? prefix + repeat.repeat(times);
  test('has every category', () => expect(profiles.categories).toEqual(TOOLKIT_CATEGORIES));
  test.each(profiles.good)('$member $text is good', (value) => {
    expect(profileProblem(value.member, textOf(value))).toBeUndefined();
  });
  test.each(profiles.refused)('$member: $problem', ({ problem, ...value }) => {
    expect(profileProblem(value.member, textOf(value))).toBe(problem);
  });
  test.each(profiles.icons)('the type of an icon: $type', ({ base64, type }) => {
    expect(iconTypeOf(Buffer.from(base64, 'base64'))).toBe(type);
  });
});

test.each(vector<{ written: unknown; schema?: object; refused?: boolean }[]>('payload-descriptions'))(
  'payload-descriptions.json: $written',
  ({ written, schema, refused }) => {
    if (refused) expect(() => toPayloadSchema(written, DEFAULT_LIMITS)).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
    else expect(toPayloadSchema(written, DEFAULT_LIMITS)).toEqual(schema);
  },
);

test.each(vector<{ written: unknown; schema?: object; dropped?: boolean }[]>('result-descriptions'))(
  'result-descriptions.json: $written',
  ({ written, schema, dropped }) => {
    if (dropped) expect(() => toResultSchema(written, DEFAULT_LIMITS)).toThrow(DescriptionFault);
    else expect(toResultSchema(written, DEFAULT_LIMITS)).toEqual(schema);
  },
);

test.each(vector<{ schema: unknown; type: string; short: string }[]>('result-types'))(
  'result-types.json: $type',
  ({ schema, type, short }) => {
    expect(toType(schema)).toBe(type);
    expect(shortType(schema)).toBe(short);
  },
);

test.each(vector<{ text: string; tokens: number }[]>('token-estimates'))('token-estimates.json: $text', ({ text, tokens }) =>
  expect(estimateTokens(text)).toBe(tokens),
);

test.each(vector<{ name: string; call: CallToDescribe; maxChars?: number; text: string }[]>('describe-call'))(
  'describe-call.json: $name',
  ({ call, maxChars, text }) => expect(describeCall(call, maxChars)).toBe(text),
);

/** The errors of a client of X for wrong options, before any request. */
import { XClient } from 'svc-sdk/agent/x';
import { expect, test } from 'vitest';

const OPTIONS = { apiKey: 'key', apiSecret: 'keysecret', accessToken: '123456-token', accessSecret: 'tokensecret' };

test('the client id is the account of the access token', () => {
  expect(new XClient(OPTIONS).clientId).toBe('x-123456');
});

test.each(['apiKey', 'apiSecret', 'accessToken', 'accessSecret'])('%s must be a text without spaces', (name) => {
  for (const value of ['', undefined, 'two words', 'line\n', 12]) {
    expect(() => new XClient({ ...OPTIONS, [name]: value })).toThrow(
      `${name} must be a text without spaces. Copy it from the developer portal of X, "Keys and tokens"`,
    );
  }
});

test.each(['123456', 'AAAAAAAA-bearer', '123456-', '-token'])(
  'an access token such as %s is refused with the kind that works',
  (accessToken) => {
    expect(() => new XClient({ ...OPTIONS, accessToken })).toThrow(
      /^accessToken must be digits, a dash and letters: the "Access Token" of OAuth 1.0a/,
    );
  },
);

test.each(['api.x.com', 'ftp://api.x.com', ''])('%j is not an address of an API', (baseUrl) => {
  expect(() => new XClient({ ...OPTIONS, baseUrl })).toThrow(
    'baseUrl must be an address with http or https. Leave it out for https://api.x.com',
  );
});

test.each([0, -1, Number.NaN, 86_401])('%d is not a number of seconds between two looks', (pollSeconds) => {
  expect(() => new XClient({ ...OPTIONS, pollSeconds })).toThrow('pollSeconds must be a number above 0, up to 86,400');
});

test.each([0.01, 86_400])('%d seconds between two polls are', (pollSeconds) => {
  expect(new XClient({ ...OPTIONS, pollSeconds })).toBeInstanceOf(XClient);
});

test('no error shows what was given', () => {
  const secret = 'not for logs';
  for (const name of Object.keys(OPTIONS)) {
    const make = () => new XClient({ ...OPTIONS, [name]: secret });
    expect(make).toThrow();
    expect(make).not.toThrow(secret);
  }
});

import { expect, test } from 'vitest';
import { authorizationHeader } from '../../../src/agent/clients/x/oauth';

/** The example of docs.x.com, "Creating a signature". */
const CREDENTIALS = {
  apiKey: 'xvz1evFS4wEEPTGEFPHBog',
  apiSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
  accessToken: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
  accessSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
};
const QUERY = 'include_entities=true&status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request!';
const AT = { nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg', timestamp: 1_318_622_958 };

test('the header of the documented example is the documented one', () => {
  const header = authorizationHeader(CREDENTIALS, 'POST', new URL(`https://api.x.com/1.1/statuses/update.json?${QUERY}`), AT);
  expect(header).toBe(
    'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", ' +
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", ' +
      'oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", oauth_version="1.0", ' +
      'oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"',
  );
});

test('the host is signed: the example on the earlier domain has its own signature', () => {
  const header = authorizationHeader(CREDENTIALS, 'POST', new URL(`https://api.twitter.com/1.1/statuses/update.json?${QUERY}`), AT);
  expect(header).toContain('oauth_signature="hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D"');
});

test('the example of OAuth Core 1.0a, appendix A, has its signature', () => {
  const photos = {
    apiKey: 'dpf43f3p2l4k3l03',
    apiSecret: 'kd94hf93k423kf44',
    accessToken: 'nnch734d00sl2jdk',
    accessSecret: 'pfkkdhi9sl3r4s00',
  };
  const url = new URL('http://photos.example.net/photos?file=vacation.jpg&size=original');
  const header = authorizationHeader(photos, 'GET', url, { nonce: 'kllo9940pd9333jh', timestamp: 1_191_242_096 });
  expect(header).toContain('oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D"');
});

test('two headers of one request have different nonces', () => {
  const url = new URL('https://api.x.com/2/users/me');
  const nonceOf = () => /oauth_nonce="([0-9a-f]{32})"/.exec(authorizationHeader(CREDENTIALS, 'GET', url))?.[1];
  const first = nonceOf();
  expect(first).toBeDefined();
  expect(nonceOf()).not.toBe(first);
});

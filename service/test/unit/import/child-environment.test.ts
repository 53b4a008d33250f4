/** The variables of an MCP server: what it needs to run and to reach the network, and what its entry names. */
import { expect, test } from 'vitest';
import { childEnvironment } from '../../../import/mcp/child-environment';

const NETWORK = {
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSL_CERT_FILE: '/ca.pem',
  SSL_CERT_DIR: '/certs',
  REQUESTS_CA_BUNDLE: '/ca.pem',
  CURL_CA_BUNDLE: '/ca.pem',
  HTTP_PROXY: 'http://proxy.example:3128',
  HTTPS_PROXY: 'http://proxy.example:3128',
  ALL_PROXY: 'socks5://proxy.example',
  NO_PROXY: 'localhost',
  http_proxy: 'http://proxy.example:3128',
  https_proxy: 'http://proxy.example:3128',
  all_proxy: 'socks5://proxy.example',
  no_proxy: 'localhost',
  npm_config_registry: 'https://npm.example',
  npm_config_cafile: '/ca.pem',
  NPM_CONFIG_REGISTRY: 'https://npm.example',
  NPM_CONFIG_HTTPS_PROXY: 'http://proxy.example:3128',
  'npm_config_@shop:registry': 'https://npm.example/shop',
  UV_INDEX_URL: 'https://pypi.example/simple',
  UV_DEFAULT_INDEX: 'https://pypi.example/simple',
  PIP_INDEX_URL: 'https://pypi.example/simple',
  PIP_CERT: '/ca.pem',
};

test('certificates, proxies and registries of this process are passed on', () => {
  const inherited = { PATH: '/bin', HOME: '/home/me', ...NETWORK };
  expect(childEnvironment({}, inherited)).toEqual(inherited);
});

test('nothing else is: no key, no token of a registry, no setting of npm for its own children, no empty variable', () => {
  const others = {
    API_KEY: 'key',
    NPM_TOKEN: 'token',
    npm_config__authtoken: 'token',
    'npm_config_//npm.example/:_authtoken': 'token',
    npm_config_prefix: '/usr',
    npm_config_user_agent: 'npm',
    npm_config_noproxy: '',
    NODE_OPTIONS: '--inspect',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    MY_HTTP_PROXY: 'http://proxy.example',
  };
  expect(childEnvironment({}, { PATH: '/bin', ...others })).toEqual({ PATH: '/bin' });
});

test('the variables of the entry replace inherited ones', () => {
  expect(childEnvironment({ HTTPS_PROXY: 'http://other.example' }, NETWORK)).toEqual({ ...NETWORK, HTTPS_PROXY: 'http://other.example' });
});

import { expect, test } from 'vitest';
import { readMcpServers } from '../../../import/mcp/read-mcp-servers';

test('servers of Claude Desktop and Cursor are entries, and no secret of them is kept', () => {
  const { toolkits, variables, skipped } = readMcpServers(
    JSON.stringify({
      mcpServers: {
        filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/docs'] },
        GitHub: { command: 'docker', args: ['run', '-i', 'github'], env: { GITHUB_TOKEN: 'ghp_secret1', LOG_LEVEL: 'debug' } },
        brave: { command: 'npx', args: ['brave', '--api-key=secret2', '--token', 'secret3'] },
        linear: { url: 'https://mcp.linear.app/mcp', headers: { Authorization: 'Bearer secret4' } },
        maps: { url: 'https://maps.example/mcp?apiKey=secret5&lang=en' },
        remote: { command: 'npx', args: ['mcp-remote', 'https://r.example/mcp', '--header', 'Authorization: Bearer secret6'] },
        old: { command: 'npx', disabled: true },
        events: { type: 'sse', url: 'https://a.example/sse' },
        empty: {},
      },
    }),
  );

  expect(toolkits).toEqual({
    filesystem: { mcp: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/docs'] } },
    github: { mcp: { command: 'docker', args: ['run', '-i', 'github'], env: { GITHUB_TOKEN: `\${GITHUB_TOKEN}`, LOG_LEVEL: 'debug' } } },
    brave: { mcp: { command: 'npx', args: ['brave', `--api-key=\${BRAVE_API_KEY}`, '--token', `\${BRAVE_TOKEN}`] } },
    linear: { mcp: { url: 'https://mcp.linear.app/mcp', headers: { Authorization: `Bearer \${LINEAR_AUTHORIZATION}` } } },
    maps: { mcp: { url: `https://maps.example/mcp?apiKey=\${MAPS_APIKEY}&lang=en` } },
    remote: {
      mcp: { command: 'npx', args: ['mcp-remote', 'https://r.example/mcp', '--header', `Authorization: Bearer \${REMOTE_AUTHORIZATION}`] },
    },
  });
  expect(variables).toEqual([
    'GITHUB_TOKEN',
    'BRAVE_API_KEY',
    'BRAVE_TOKEN',
    'LINEAR_AUTHORIZATION',
    'MAPS_APIKEY',
    'REMOTE_AUTHORIZATION',
  ]);
  expect(skipped.map(({ what }) => what)).toEqual(['old', 'events', 'empty']);
  expect(JSON.stringify(toolkits)).not.toContain('secret');
});

test('servers of VS Code are read with their comments, inputs and variables', () => {
  const { toolkits } = readMcpServers(`{
    // My servers
    "inputs": [{ "id": "perplexity-key", "type": "promptString" }],
    "servers": {
      "Perplexity": { "type": "stdio", "command": "npx", "env": { "API_KEY": "\${input:perplexity-key}", "HOST": "http://localhost" } },
      "docs": { "type": "http", "url": "https://docs.example/mcp", "headers": { "X-Key": "\${env:DOCS_KEY}" }, }, /* the last */
    },
  }`);
  expect(toolkits).toEqual({
    perplexity: { mcp: { command: 'npx', env: { API_KEY: `\${PERPLEXITY_KEY}`, HOST: 'http://localhost' } } },
    docs: { mcp: { url: 'https://docs.example/mcp', headers: { 'X-Key': `\${DOCS_KEY}` } } },
  });
});

test('a file without servers is refused', () => {
  expect(() => readMcpServers('{"theme":"dark"}')).toThrow(/mcpServers/);
  expect(() => readMcpServers('mcpServers:')).toThrow(/not JSON/);
});

/** An MCP server with an MCP App, written with the official SDK: `node app-mcp-server.mjs <name>`. Each name is in the texts of its server. */
import { registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [, , name = 'app', size = '0'] = process.argv;
const PAGE = 'ui://board/view.html';
const csp = { connectDomains: ['https://api.example.com'] };
const ICON = { src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] };

serveStdio(() => {
  const server = new McpServer({ name, version: '1.0.0' });
  registerAppTool(
    server,
    'show-board',
    {
      title: 'Show the board',
      description: `Shows the board of ${name}`,
      inputSchema: z.object({ board: z.string().optional() }),
      outputSchema: z.object({ cards: z.number() }),
      annotations: { readOnlyHint: true },
      icons: [ICON, { src: 'javascript:alert(1)' }],
      _meta: { ui: { resourceUri: PAGE }, 'example.com/kept': { of: name } },
    },
    async () => ({
      content: [{ type: 'text', text: `Three cards of ${name}` }],
      structuredContent: { cards: 3 },
      _meta: { 'example.com/cursor': `${name}-1` },
    }),
  );
  registerAppTool(
    server,
    'move-card',
    { description: `Moves a card of ${name}`, inputSchema: z.object({}), _meta: { ui: { resourceUri: PAGE, visibility: ['app'] } } },
    async () => ({ content: [{ type: 'text', text: `moved at ${name}` }] }),
  );
  server.registerTool('large', { description: 'Has a large _meta', _meta: { large: 'x'.repeat(9_000) } }, async () => ({ content: [] }));
  registerAppResource(server, 'Board', PAGE, {}, async () => ({
    contents: [
      {
        uri: PAGE,
        mimeType: 'text/html;profile=mcp-app',
        text: `<!doctype html><title>${name}</title>${'x'.repeat(Number(size))}`,
        _meta: { ui: { csp, permissions: { camera: {} }, prefersBorder: true } },
      },
    ],
  }));
  server.registerResource('secret', 'ui://board/secret.html', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'secret' }] }));
  return server;
});

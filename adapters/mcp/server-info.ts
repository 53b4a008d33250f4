/** The server as clients show it to people. */
import type { Implementation } from '@modelcontextprotocol/server';
import { version } from '../../package.json';

/** Clients get it with every answer of revision 2026-07-28, so it is small. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230c7a6b'/%3E" +
  "%3Cpath d='M9 11.5h9.5M9 16h14M13.5 20.5H23' stroke='%23fff' stroke-width='2.6'/%3E%3C/svg%3E";

export const SERVER_INFO: Implementation = {
  name: 'svc-sdk',
  title: 'svc-sdk',
  version,
  icons: [{ src: ICON, mimeType: 'image/svg+xml', sizes: ['any'] }],
};

/** A foreign site, on this machine and on a free port, until the test ends. */
import { createServer } from 'node:http';
import { listening } from '../../../test/support/listening';

export async function otherSite(html: string, host = '127.0.0.1'): Promise<string> {
  const url = await listening(createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html)));
  return `${url.replace('127.0.0.1', host)}/`;
}

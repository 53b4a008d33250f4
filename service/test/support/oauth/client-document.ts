/** A client ID metadata document over TLS, at localhost, with an authority that this process trusts. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { makeCertificates } from '../../../../test/support/certificates';
import { makeFolder } from '../../../../test/support/folder';

export interface ServedDocument {
  url: string;
  /** How often it was read. */
  reads(): number;
}

/** @param document JSON, whose `client_id` is replaced by its address here */
export async function serveClientDocument(document: string): Promise<ServedDocument> {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { caFile, server: files } = makeCertificates(folder.path);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, readFileSync(caFile, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  let reads = 0;
  const server = createServer({ key: readFileSync(files.keyFile), cert: readFileSync(files.certFile) }, (_request, response) => {
    reads++;
    response.setHeader('content-type', 'application/json');
    response.end(document.replace(/(?<="client_id":)"[^"]*"/, JSON.stringify(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
  return { url, reads: () => reads };
}

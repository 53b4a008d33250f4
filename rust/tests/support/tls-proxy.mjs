/**
 * Ends TLS in front of a service: `node tls-proxy.mjs <folder> <port of the service>`. Makes an authority and a certificate in the folder, and prints
 * `{ port, caFile }`.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { makeCertificates } from '../../../test/support/certificates.ts';

const [folder = '', target = ''] = process.argv.slice(2);
const { caFile, server } = makeCertificates(folder);
const proxy = createServer({ cert: readFileSync(server.certFile), key: readFileSync(server.keyFile) }, (outside) => {
  const inside = connect(Number(target), '127.0.0.1');
  outside.pipe(inside).pipe(outside);
  for (const [one, other] of [
    [inside, outside],
    [outside, inside],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
// A client that does not trust the certificate ends the handshake.
proxy.on('tlsClientError', () => {});
proxy.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: proxy.address().port, caFile })));

/** Certificates for a test: an authority, a server at localhost, a client. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { locateProgram } from '../../scripts/programs.ts';

export interface Certificates {
  caFile: string;
  server: { certFile: string; keyFile: string };
  client: { certFile: string; keyFile: string };
}

export function makeCertificates(folder: string): Certificates {
  const file = (name: string) => join(folder, name);
  const make = (name: string, ...more: string[]) => {
    const certFile = file(`${name}.pem`);
    const keyFile = file(`${name}.key`);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
    execFileSync(locateProgram('openssl'), ['req', '-x509', ...key, '-out', certFile, '-days', '2', '-subj', `/CN=${name}`, ...more], {
      stdio: 'ignore',
    });
    return { certFile, keyFile };
  };
  const ca = make('ca');
  const signed = ['-CA', ca.certFile, '-CAkey', ca.keyFile, '-addext', 'basicConstraints=critical,CA:FALSE'];
  return {
    caFile: ca.certFile,
    server: make('server', ...signed, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'),
    client: make('client', ...signed),
  };
}

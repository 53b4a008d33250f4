import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, onTestFinished, test } from 'vitest';

const BILLS = ['dist/sbom.cdx.json', 'service/dist/sbom.cdx.json', 'service/dist/console-sbom.cdx.json'];
const componentsOf = (file: string): { purl: string }[] => JSON.parse(readFileSync(file, 'utf8')).components;
const purls = BILLS.flatMap(componentsOf).map(({ purl }) => purl);

describe.each(BILLS)('%s', (file) => {
  test('is valid by the schema of CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(readFileSync(file, 'utf8'))).toBeNull();
  });
});

test('the bills name what the bundles contain', () => {
  const names = purls.map((purl) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@[^@]+$/, '$1'));
  expect(names).toEqual(
    expect.arrayContaining(['hono', 'ajv', 'better-auth', '@modelcontextprotocol/server', 'react-dom', '@mantine/core']),
  );
  const notices = readFileSync('service/dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  for (const { purl } of componentsOf('service/dist/sbom.cdx.json')) {
    const [, name, version] = /^pkg:npm\/(.+)@([^@]+)$/.exec(decodeURIComponent(purl)) ?? [];
    expect(notices).toContain(`${name} ${version} (`);
  }
});

describe('npm run osv', () => {
  async function run(url: string) {
    const child = spawn(process.execPath, ['scripts/osv.ts'], { env: { ...process.env, SVC_OSV_URL: url } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  /** Answers as OSV does: one result per query, in order. */
  async function startOsv(vulnerable: string | undefined) {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { queries } = JSON.parse(Buffer.concat(chunks).toString());
      for (const { package: named } of queries) asked.push(named.purl);
      const results = asked.map((purl) => (purl === vulnerable ? { vulns: [{ id: 'GHSA-test', modified: '2026-01-01T00:00:00Z' }] } : {}));
      response.end(JSON.stringify({ results }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const close = async () => void (await promisify(server.close.bind(server))().catch(() => undefined));
    onTestFinished(close);
    return { close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  test('passes when no package is affected, and queries each', async () => {
    const { url, asked } = await startOsv(undefined);
    expect(await run(url)).toEqual({ code: 0, output: `${purls.length} bundled packages, 0 known vulnerabilities\n` });
    expect(asked).toEqual(purls);
  });

  test('fails with the page of a vulnerability', async () => {
    const { url } = await startOsv(purls[3]);
    const { code, output } = await run(url);
    expect(code).toBe(1);
    expect(output).toContain(`${purls[3]}: https://osv.dev/vulnerability/GHSA-test`);
  });

  test('reports a skipped check when the service cannot be reached', async () => {
    const { url, close } = await startOsv(undefined);
    await close();
    const { code, output } = await run(url);
    expect(code).toBe(0);
    expect(output).toMatch(/^Known vulnerabilities were not checked: .*ECONNREFUSED/);
  });
});

// @module-tag cargo
/** The output of `npm run pack:all` after the build: a package for each language, and the line that installs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { makeFolder } from '../support/folder';

const SCRIPT = fileURLToPath(new URL('../../scripts/pack-all.ts', import.meta.url));
const { version } = packageJson;

test('the folder has the three packages, and each line names the package it installs', { tags: 'python', timeout: 120_000 }, () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const printed = execFileSync(process.execPath, [SCRIPT, path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  expect(readdirSync(path).sort()).toEqual([
    `svc-sdk-${version}`,
    `svc-sdk-${version}.crate`,
    `svc-sdk-${version}.tgz`,
    `svc-sdk-macros-${version}`,
    `svc-sdk-macros-${version}.crate`,
    `svc-service-${version}.tgz`,
    `svc_sdk-${version}-py3-none-any.whl`,
  ]);
  const lines = printed.trimEnd().split('\n');
  expect(lines).toEqual([
    `npm install ${join(path, `svc-sdk-${version}.tgz`)}`,
    `npm install ${join(path, `svc-sdk-${version}.tgz`)} ${join(path, `svc-service-${version}.tgz`)}`,
    `pip install ${join(path, `svc_sdk-${version}-py3-none-any.whl`)}`,
    `cargo add --path ${join(path, `svc-sdk-${version}`)}`,
  ]);
  for (const line of lines) expect(existsSync(line.split(' ').at(-1) ?? '')).toBe(true);

  const packed = execFileSync('tar', ['-tzf', join(path, `svc-sdk-${version}.tgz`)], { encoding: 'utf8' });
  expect(packed.split('\n')).toEqual(expect.arrayContaining(['package/package.json', 'package/dist/index.js', 'package/dist/cli.js']));
  const manifest = readFileSync(join(path, `svc-sdk-${version}/Cargo.toml`), 'utf8');
  expect(manifest).toContain(`version = "${version}"`);
  expect(existsSync(join(path, `svc-sdk-${version}/src/lib.rs`))).toBe(true);
  expect(manifest).toContain(`[dependencies.svc-sdk-macros]\npath = "../svc-sdk-macros-${version}"`);
  expect(existsSync(join(path, `svc-sdk-macros-${version}/src/lib.rs`))).toBe(true);
});

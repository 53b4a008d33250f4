/** `npm run version:next` ends with this: writes the version of package.json into svc-service and the packages for Python and Rust. */
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

writeVersion('service/package.json', /^ {2}"version": "[^"]*",$/m, `  "version": "${version}",`);
writeVersion('service/package.json', /^ {4}"svc-sdk": "[^"]*",$/m, `    "svc-sdk": "${version}",`);
writeVersion('python/pyproject.toml', /^version = "[^"]*"$/m, `version = "${version}"`);
writeVersion('python/src/svc/version.py', /^__version__ = "[^"]*"$/m, `__version__ = "${version}"`);
writeVersion('rust/Cargo.toml', /^version = "[^"]*"$/m, `version = "${version}"`);
writeVersion('rust/Cargo.toml', /^svc-sdk-macros = \{ version = "=[^"]*"/m, `svc-sdk-macros = { version = "=${version}"`);
writeVersion('rust/macros/Cargo.toml', /^version = "[^"]*"$/m, `version = "${version}"`);

function writeVersion(file: string, pattern: RegExp, line: string): void {
  const url = new URL(`../${file}`, import.meta.url);
  const text = readFileSync(url, 'utf8');
  if (!pattern.test(text)) throw new Error(`${file} has no line with its version`);
  writeFileSync(url, text.replace(pattern, line));
}

/** The entries of `examples/toolkits.yaml`, for the scripts that try them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readToolkitsFile, type ToolkitEntry, type ToolkitsFile, withVariables } from 'svc-service/import';

/** It has a colon, as `user:password` needs. */
const ANY_VALUE = 'any:value';
const UV = 'uv==0.13.9';

/** @param folder of the files that the servers write; variables without a meaning here have any value */
export function exampleToolkits(folder: string): ToolkitsFile {
  const values: Record<string, string> = { MEMORY_FILE: join(folder, 'memory.jsonl') };
  const anything = new Proxy(values, { get: (_, name) => values[String(name)] ?? ANY_VALUE });
  const entries = readToolkitsFile(readFileSync(new URL('../../examples/toolkits.yaml', import.meta.url), 'utf8'));
  return Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, withVariables(entry, anything)]));
}

/** Installs `uvx` into that folder and adds it to PATH, where there is none. */
export function provideUvx(cache: string): void {
  const isThere = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'uvx')));
  if (isThere) return;
  const venv = join(cache, 'uv');
  if (!existsSync(join(venv, 'bin', 'uvx'))) {
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    execFileSync(join(venv, 'bin', 'pip'), ['install', '--quiet', UV], { stdio: 'inherit' });
  }
  process.env.PATH = `${join(venv, 'bin')}${delimiter}${process.env.PATH}`;
}

/** Adds the variables that downloads need in a network with certificates of its own: a server gets none that its entry does not name. */
export function withCertificates(entry: ToolkitEntry): ToolkitEntry {
  if (!('mcp' in entry) || !('command' in entry.mcp)) return entry;
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].filter((name) => process.env[name] !== undefined);
  const named = Object.fromEntries(names.map((name) => [name, process.env[name] as string]));
  return { ...entry, mcp: { ...entry.mcp, env: { UV_SYSTEM_CERTS: 'true', ...named, ...entry.mcp.env } } };
}

/**
 * Programs of the Rust crate, built by cargo when their sources have changed. The target folder is `CARGO_TARGET_DIR`, or `rust/target`.
 *
 * Errors: cargo prints its own on stderr.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { locateProgram } from './programs.ts';

const MANIFEST = fileURLToPath(new URL('../rust/Cargo.toml', import.meta.url));

/**
 * The same for all of them, so that their dependencies are compiled once. Where all tests run, those of the crate have compiled them with all features,
 * and other ones would compile them again.
 */
const FEATURES = process.env.SVC_TEST_ALL ? ['--all-features'] : ['--features', 'macros'];

/** Resolves with the path of the program. */
export async function buildRustExample(name: string, { release = false } = {}): Promise<string> {
  const profile = release ? ['--release'] : [];
  const options = ['--example', name, ...FEATURES, '--message-format', 'json-render-diagnostics', ...profile];
  const cargo = spawn(locateProgram('cargo'), ['build', '--quiet', '--manifest-path', MANIFEST, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [messages, [code]] = await Promise.all([text(cargo.stdout), once(cargo, 'close')]);
  const artifacts = messages
    .split('\n')
    .filter(Boolean)
    .map((line): { executable?: string | null; target?: { name: string } } => JSON.parse(line));
  const built = artifacts.find(({ executable, target }) => executable && target?.name === name)?.executable;
  if (code !== 0 || !built) throw new Error(`cargo could not build rust/examples/${name}.rs`);
  return built;
}

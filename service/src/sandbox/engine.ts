/** Finds quickjs-wasi, which is an optional peer: only services that run code need it. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface EngineFiles {
  /** Its package's folder, without symbolic links. */
  folder: string;
  /** URL of its module. */
  engine: string;
  /** URL of its WebAssembly. */
  wasm: string;
}

/** @throws Error that names the command which installs it */
export function locateEngine(from: string = import.meta.url): EngineFiles {
  const { resolve } = createRequire(from);
  try {
    const wasm = realpathSync(resolve('quickjs-wasi/quickjs.wasm'));
    const engine = realpathSync(resolve('quickjs-wasi'));
    return { folder: dirname(wasm), engine: pathToFileURL(engine).href, wasm: pathToFileURL(wasm).href };
  } catch (cause) {
    throw new Error('Programs run in quickjs-wasi, which is not installed here: npm install quickjs-wasi', { cause });
  }
}

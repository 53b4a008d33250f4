/** Node's cache of compiled modules, for the commands. Node 14 must be able to parse this file. */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** After the modules of a start are loaded. */
const WRITE_AFTER_MS = 1_000;

/**
 * Compiling takes a quarter of a start. The cache is beside the program: a user with write access there can change the program too.
 * Deno has no such cache. Node writes it at a graceful end alone, and services and MCP servers are often killed.
 *
 * @param program the URL of the command's file
 */
export function useCompileCache(program: string): void {
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', program)));
  setTimeout(() => nodeModule.flushCompileCache?.(), WRITE_AFTER_MS).unref();
}

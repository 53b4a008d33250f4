#!/usr/bin/env node
/** `svc-service`: the service, its keys and its imports, from a terminal. Node 14 must be able to parse this file. */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '#sdk/node-version';

const problem = nodeProblem('svc-service', 'svc-service');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  // Compiling takes a quarter of a start. The cache is beside the program: a user with write access there can change the program too.
  // Deno has no such cache.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
  await import('./program');
}

#!/usr/bin/env node
/** `svc-sdk`: what agents see of a service, from a terminal. Node 14 has to be able to read this file. */
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../node-version';

const problem = nodeProblem('svc-sdk', 'svc-sdk');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  // Compiling takes a quarter of a start. The cache is beside the program: a user who can write there can change the program too.
  // Deno has no such cache.
  nodeModule.enableCompileCache?.(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
  await import('./program');
}

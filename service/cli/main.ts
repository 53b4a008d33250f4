#!/usr/bin/env node
/** `svc-service`: the service, its keys and its imports, from a terminal. Node 14 must be able to parse this file. */
import { useCompileCache } from '#sdk/compile-cache';
import { nodeProblem } from '#sdk/node-version';

const problem = nodeProblem('svc-service', 'svc-service');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  useCompileCache(import.meta.url);
  await import('./program');
}

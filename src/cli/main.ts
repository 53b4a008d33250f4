#!/usr/bin/env node
/** `svc-sdk`: what agents see of a service, from a terminal. Node 14 has to be able to read this file. */
import { useCompileCache } from '../compile-cache';
import { nodeProblem } from '../node-version';

const problem = nodeProblem('svc-sdk', 'svc-sdk');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  useCompileCache(import.meta.url);
  await import('./program');
}

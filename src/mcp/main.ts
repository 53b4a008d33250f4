#!/usr/bin/env node
/**
 * `svc-tools-mcp`: the tools of a service for an MCP client, which starts this program and talks to it over stdin and stdout. This file must
 * parse on Node 14.
 */
import { useCompileCache } from '../compile-cache';
import { nodeProblem } from '../node-version';

const problem = nodeProblem('svc-tools-mcp', 'svc-sdk');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  useCompileCache(import.meta.url);
  await import('./program');
}

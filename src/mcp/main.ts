#!/usr/bin/env node
/**
 * `svc-tools-mcp`: the tools of a service for an MCP client, which starts this program and speaks with it over stdin and stdout. Node 14 has to
 * be able to read this file.
 */
import { nodeProblem } from '../node-version';

const problem = nodeProblem('svc-tools-mcp');
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else await import('./program');

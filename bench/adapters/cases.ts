import type { AdapterCase, CallCase } from './adapter-case.ts';
import { ai } from './cases/ai.ts';
import { anthropic } from './cases/anthropic.ts';
import { clientCalls } from './cases/client.ts';
import { google } from './cases/google.ts';
import { googleAdk } from './cases/google-adk.ts';
import { langchain } from './cases/langchain.ts';
import { llamaindex } from './cases/llamaindex.ts';
import { mastra } from './cases/mastra.ts';
import { mcp } from './cases/mcp.ts';
import { openai, openaiCallTools } from './cases/openai.ts';
import { openaiAgents } from './cases/openai-agents.ts';
import { strands } from './cases/strands.ts';

export const ADAPTERS: AdapterCase[] = [
  ai,
  langchain,
  mastra,
  openai,
  openaiAgents,
  anthropic,
  google,
  googleAdk,
  llamaindex,
  strands,
  mcp,
];
export const OTHER_CALLS: CallCase[] = [openaiCallTools, ...clientCalls];

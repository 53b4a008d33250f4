/** The environments of the frameworks that `svc.ai` translates for, as few as their requirements allow. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `python/` of this repository. */
export const folder = fileURLToPath(new URL('../python/', import.meta.url));

export interface PythonEnvironment {
  /** Folder below `python/.venvs`. */
  name: string;
  /** File in `python/`. */
  requirements: string;
  /** Packages in `svc.ai`, each with `tests/ai/test_<adapter>.py`, perhaps also `test_<adapter>_approval.py`. */
  adapters: string[];
}

export const ENVIRONMENTS: PythonEnvironment[] = [
  {
    name: 'openai-3',
    requirements: 'requirements-ai.txt',
    adapters: ['anthropic', 'autogen', 'google', 'langchain', 'openai', 'openai_agents', 'pydantic_ai', 'smolagents'],
  },
  {
    name: 'openai-2',
    requirements: 'requirements-ai-openai-2.txt',
    adapters: ['crewai', 'llamaindex'],
  },
  {
    name: 'opentelemetry-1.44',
    requirements: 'requirements-ai-opentelemetry-1.44.txt',
    adapters: ['strands', 'google_adk', 'agno', 'haystack'],
  },
];

/** Paths below `python/`. */
export function testsOf(adapter: string): string[] {
  return globSync(`tests/ai/test_${adapter}{,_approval}.py`, { cwd: folder });
}

export function sourcesOf(adapter: string): string[] {
  return globSync(`src/svc/ai/${adapter}/**/*.py`, { cwd: folder });
}

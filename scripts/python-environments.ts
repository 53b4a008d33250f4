/** The environments of the frameworks that `svc.ai` translates for, as few as their requirements allow. */

export interface PythonEnvironment {
  /** Folder below `python/.venvs`. */
  name: string;
  /** File in `python/`. */
  requirements: string;
  /** Modules of `svc.ai`, each with `tests/ai/test_<adapter>.py`. */
  adapters: string[];
}

export const ENVIRONMENTS: PythonEnvironment[] = [
  {
    name: 'openai-3',
    requirements: 'requirements-ai.txt',
    adapters: ['openai', 'langchain'],
  },
];

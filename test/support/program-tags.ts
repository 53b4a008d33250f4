/**
 * A tag for each program that a test may need: `// @module-tag postgres` at the head of a file, `{ tags: 'postgres' }` at a group or a test.
 * Such a test is skipped where the program is missing, unless `SVC_TEST_ALL=1` requires everything to run.
 */
import type { TestTagDefinition } from 'vitest/config';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { findProgram, missingLine, PROGRAM_NAMES, type ProgramName } from '../../scripts/programs.ts';

declare module 'vitest' {
  interface TestTags {
    program: ProgramName;
  }
}

type Environment = Record<string, string | undefined>;

export function programTags(env: Environment = process.env): TestTagDefinition[] {
  const missing = env.SVC_TEST_ALL === '1' ? [] : missingPrograms(env);
  return PROGRAM_NAMES.map((name) => ({ name, skip: missing.includes(name) }));
}

/** Prints one line at the end of the run for each program that skipped tests would have needed. */
export class MissingProgramsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    for (const name of missingPrograms()) {
      const count = skipped.filter((test) => needs(test, name)).length;
      if (count > 0) console.warn(`Skipped ${count} tests. ${missingLine(name)}`);
    }
  }
}

function needs(test: TestCase, name: ProgramName): boolean {
  return test.tags.includes(name);
}

function missingPrograms(env: Environment = process.env): ProgramName[] {
  return PROGRAM_NAMES.filter((name) => findProgram(name, env) === undefined);
}

/** The work of `svc-service lint`, loaded on demand: no other command needs a YAML parser. */
import { SvcError } from 'svc-sdk';
import { lintToolkit } from 'svc-service';
import type { Terminal } from '#sdk/cli/terminal';
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import { isError } from '../finding-texts';
import { readGoldenFile } from './golden-file';
import { runGolden } from './golden-run';
import { type LintPlace, openPlace, type PlaceOptions } from './lint-place';
import { type LintReport, reportText } from './lint-report';

export interface LintOptions extends PlaceOptions {
  golden?: string;
  k: number;
  minRecall: number;
  strict?: boolean;
}

/** Sets the exit code: 1 for errors, with `strict` for warnings too, and for golden queries with too few matches. */
export async function runLint(terminal: Terminal, program: readonly string[], options: LintOptions): Promise<void> {
  const place = await openPlace(terminal, program, options);
  let report: LintReport;
  try {
    report = await lint(place, options);
  } finally {
    await place.close();
  }
  terminal.show(report, reportText(report));
  const { rejected, findings, golden } = report;
  const unfit =
    rejected.length > 0 || findings.some(isError) || (options.strict === true && findings.some(({ severity }) => severity === 'warning'));
  if (unfit || (golden && golden.recall < options.minRecall)) terminal.exitCode = 1;
}

async function lint({ catalog, toolkitId, rejected }: LintPlace, { golden: file, k }: LintOptions): Promise<LintReport> {
  const toolkit = await catalog.toolkit(toolkitId);
  const all = await catalog.actions();
  const actions = all.filter((action) => action.toolkit === toolkitId);
  const others = all.filter((action) => action.toolkit !== toolkitId);
  const findings = lintToolkit({ ...toolkit, actions }, others);
  const report: LintReport = { toolkit: toolkitId, actions: actions.length, rejected, findings };
  if (file === undefined) return report;

  const golden = readGoldenFile(file, toolkitId);
  for (const { line, actions: wanted } of golden) {
    for (const id of wanted) {
      const { online, toolkit: of } = await catalog.action(id).catch((error: unknown) => {
        if (!SvcError.is(error)) throw error;
        const problem = error.code === 'ACTION_NOT_FOUND' ? unknownAction(id, toolkitId) : error.message;
        throw new SvcError(error.code, `${file}:${line}: ${problem}`, error.details);
      });
      if (!online)
        throw new SvcError('TOOLKIT_OFFLINE', `${file}:${line}: "${id}" is offline, so no search finds it; start toolkit "${of}" first`);
    }
  }
  return { ...report, golden: { file, ...(await runGolden(golden, { k, search: (query) => catalog.search(query) })) } };
}

function unknownAction(id: string, toolkitId: string): string {
  const own = toolkitId + ACTION_ID_SEPARATOR;
  if (id.startsWith(own))
    return `Toolkit "${toolkitId}" has no action "${id.slice(own.length)}"; an action of another toolkit is written by its id`;
  return `The action "${id}" is not found; beside a program, --catalogue adds the actions of other toolkits`;
}

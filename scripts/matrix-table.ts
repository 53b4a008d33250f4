/** The table of a contract: one row a scenario, one column an adapter in one framework; `-` where the framework cannot do it at all. */
export interface Outcome {
  column: string;
  scenario: string;
  status: string;
}

const SIGNS: Record<string, string> = { passed: 'ok', skipped: '-', pending: '-', failed: 'NO' };

export function matrixTable(outcomes: Outcome[]): string {
  const columns = [...new Set(outcomes.map(({ column }) => column))].sort();
  const scenarios = [...new Set(outcomes.map(({ scenario }) => scenario))];
  const sign = new Map(outcomes.map(({ column, scenario, status }) => [`${column}\n${scenario}`, SIGNS[status]]));
  const line = (cells: string[], words: string) => [...cells.map((cell) => cell.padStart(3)), ' ', words].join('');
  return [
    ...columns.map((column, index) => `${String(index + 1).padStart(3)} ${column}`),
    '',
    line(
      columns.map((_, index) => String(index + 1)),
      'scenario',
    ),
    ...scenarios.map((scenario) =>
      line(
        columns.map((column) => sign.get(`${column}\n${scenario}`) ?? ''),
        scenario,
      ),
    ),
  ].join('\n');
}

/** Linear equations as people write them: `2x + 3y = 7`. */
import { Refusal } from '../shared/refusal.ts';
import { parseFormula, variablesOf } from './formula.ts';
import { math, tidy } from './math.ts';

type Difference = (values: Record<string, number>) => number;

export function solveLinearEquations({ equations }: { equations: string[] }) {
  const sides = equations.map(readEquation);
  const names = [...new Set(sides.flatMap(({ names }) => names))].sort();
  if (names.length !== equations.length) {
    throw new Refusal(
      'WRONG_NUMBER',
      `${names.length} unknowns (${names.join(', ')}) need as many equations; there are ${equations.length}`,
    );
  }
  const rows = sides.map(({ difference }) => coefficients(difference, names));
  const matrix = rows.map((row) => row.slice(0, -1));
  const constants = rows.map((row) => -(row.at(-1) ?? 0));
  const values = solve(matrix, constants);
  return { solution: Object.fromEntries(names.map((name, index) => [name, tidy(values[index] ?? 0)])) };
}

/** `left = right` as the function left - right. */
function readEquation(text: string): { names: string[]; difference: Difference } {
  const [left, right, ...rest] = text.split('=');
  if (!left || !right || rest.length > 0) {
    throw new Refusal('NO_EQUATION', `${JSON.stringify(text)} is not an equation; write it with one equals sign, like 2x + 3y = 7`);
  }
  const node = parseFormula(`(${left}) - (${right})`);
  return { names: variablesOf(node), difference: (values) => numberOf(node.evaluate({ ...values }), text) };
}

function numberOf(value: unknown, text: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Refusal('NOT_LINEAR', `${JSON.stringify(text)} is not a linear equation of plain numbers`);
}

/** One factor per name, then the constant. */
function coefficients(difference: Difference, names: string[]): number[] {
  const at = (value: (name: string) => number) => difference(Object.fromEntries(names.map((name) => [name, value(name)])));
  const constant = at(() => 0);
  const factors = names.map((wanted) => at((name) => (name === wanted ? 1 : 0)) - constant);
  const predicted = factors.reduce((sum, factor, index) => sum + factor * probe(index), constant);
  const actual = at((name) => probe(names.indexOf(name)));
  if (Math.abs(actual - predicted) > 1e-6 * Math.max(1, Math.abs(predicted))) {
    throw new Refusal('NOT_LINEAR', 'The equations hold powers or products of unknowns; only linear ones are solved here');
  }
  return [...factors, constant];
}

/** Uneven values, so that no power or product of two unknowns looks linear by chance. */
function probe(index: number): number {
  return 2.7 + 1.3 * index;
}

function solve(matrix: number[][], constants: number[]): number[] {
  // A matrix that is singular up to rounding gives nonsense, not an error, so its rank is looked at through the determinant.
  const scale = Math.max(...matrix.flat().map(Math.abs), 1);
  if (Math.abs(math.det(matrix)) < 1e-12 * scale ** matrix.length) {
    throw new Refusal('NO_UNIQUE_SOLUTION', 'The equations contradict each other or say the same thing twice');
  }
  return (math.lusolve(matrix, constants) as number[][]).map(([value]) => value ?? 0);
}

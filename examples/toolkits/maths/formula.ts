/**
 * Formulas from outside. mathjs's whole language can change mathjs itself and has had holes, so only a small part of it is let through:
 * numbers, names, operators, lists, and the functions below. Anything else does not run.
 */
import type { MathNode, SymbolNode } from 'mathjs';
import { Refusal, reason } from '../shared/refusal.ts';
import { math, show, tidy } from './math.ts';

const NODES = new Set([
  ...['ConstantNode', 'SymbolNode', 'OperatorNode', 'ParenthesisNode', 'FunctionNode', 'ArrayNode', 'RangeNode'],
  ...['ConditionalNode', 'RelationalNode', 'AssignmentNode', 'BlockNode'],
]);

const FUNCTIONS = new Set([
  ...['abs', 'ceil', 'floor', 'round', 'fix', 'sign', 'sqrt', 'cbrt', 'nthRoot', 'pow', 'exp', 'log', 'log2', 'log10', 'mod', 'gcd', 'lcm'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'hypot'],
  ...['sum', 'prod', 'min', 'max', 'mean', 'median', 'mode', 'std', 'variance', 'quantileSeq', 'cumsum'],
  ...['factorial', 'gamma', 'combinations', 'permutations', 'isPrime', 'erf'],
  ...['dot', 'cross', 'det', 'inv', 'transpose', 'norm', 'size', 're', 'im', 'conj', 'arg', 'to'],
]);

const MAX_TEXT_CHARS = 10_000;

/** Reads a formula; refuses any other text. */
export function parseFormula(text: string): MathNode {
  const node = parse(text);
  node.traverse(refuseUnsafe);
  return node;
}

/** The names in a formula that stand for something unknown: neither a function nor a constant. */
export function variablesOf(node: MathNode): string[] {
  const names = node.filter((part): part is SymbolNode => math.isSymbolNode(part)).map((part) => (part as SymbolNode).name);
  return [...new Set(names)].filter((name) => !FUNCTIONS.has(name) && !['e', 'pi', 'tau', 'phi', 'i'].includes(name)).sort();
}

export function evaluateFormula({ expression, variables = {} }: { expression: string; variables?: Record<string, number> }) {
  const value = evaluate(parseFormula(expression), new Map(Object.entries(variables)));
  const text = show(value);
  if (text.length > MAX_TEXT_CHARS) throw new Refusal('TOO_LARGE', `The result has ${text.length} characters; ask for a part of it`);
  return { text, ...asJson(value) };
}

export function simplifyFormula({ expression }: { expression: string }) {
  const node = parseFormula(expression);
  return { simplified: algebra(() => math.simplify(node)).toString() };
}

export function differentiateFormula({ expression, variable }: { expression: string; variable: string }) {
  const node = parseFormula(expression);
  return { derivative: algebra(() => math.derivative(node, variable)).toString() };
}

function parse(text: string): MathNode {
  try {
    return math.parse(text);
  } catch (error) {
    throw new Refusal('SYNTAX', `${reason(error)}. Write it like 3 * (4 + 5)^2 or 26.2 miles / (9.5 km/hour) to minutes`);
  }
}

function refuseUnsafe(node: MathNode): void {
  if (!NODES.has(node.type)) {
    throw new Refusal('NOT_OFFERED', `${node.type} is not offered here: no strings of code, objects, indexes or own functions`);
  }
  if (math.isConstantNode(node) && typeof node.value === 'string') {
    throw new Refusal('NOT_OFFERED', 'Texts are not offered here: write numbers, units and names without quotes');
  }
  // A function's name is unsafe even when it is only mentioned, as in map([1], evaluate).
  if (math.isSymbolNode(node) && !FUNCTIONS.has(node.name) && isFunctionOfMathjs(node.name)) {
    throw new Refusal('NOT_OFFERED', `The function ${node.name} is not offered here; offered are ${[...FUNCTIONS].join(', ')}`);
  }
}

function isFunctionOfMathjs(name: string): boolean {
  return name in math && typeof math[name as keyof typeof math] === 'function' && !math.Unit.isValuelessUnit(name);
}

function evaluate(node: MathNode, scope: Map<string, unknown>): unknown {
  try {
    return node.evaluate(scope);
  } catch (error) {
    throw new Refusal(
      'CANNOT_EVALUATE',
      `${reason(error)}. Give values for names in "variables"; write units like km/h, degC or minutes (min is the minimum)`,
    );
  }
}

function algebra(work: () => MathNode): MathNode {
  try {
    return work();
  } catch (error) {
    throw new Refusal('CANNOT_TRANSFORM', reason(error));
  }
}

/** JSON has neither units nor complex numbers nor infinity: only the text has those. */
function asJson(value: unknown): { value?: unknown; unit?: string } {
  if (math.isUnit(value)) return { value: tidy(value.toJSON().value ?? 1), unit: value.formatUnits() };
  if (math.isResultSet(value)) return asJson(value.entries.at(-1));
  if (math.isMatrix(value)) return { value: value.toArray() };
  if (typeof value === 'number') return Number.isFinite(value) ? { value: tidy(value) } : {};
  return typeof value === 'boolean' ? { value } : {};
}

/**
 * Units and maths, by mathjs.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/maths.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import type { MathTasks } from './maths/tasks.ts';
import { answering } from './shared/answering.ts';
import { reportLoss, serve } from './shared/serve.ts';
import { TimeBox } from './shared/time-box.ts';

const READ_ONLY = { readOnly: true, idempotent: true };
/** Each of them may need a process of its own. */
const CONCURRENCY = 4;
const expression = z.string().min(1).max(1_000);

const box = new TimeBox<MathTasks>(new URL('./maths/tasks.ts', import.meta.url), { timeoutMs: 2_000, memoryMegabytes: 256 });
const toolkit = new Toolkit({ concurrency: CONCURRENCY, onStatus: reportLoss });

toolkit.action(
  {
    action: 'convert_units',
    actionDescription:
      'Converts a measurement to another unit: length, weight, temperature, volume, speed, area, energy, pressure, data size and more. ' +
      'Compound units such as km/h or mi/gal work too, and those of the kitchen: cups, ml. For currencies this is the wrong action.',
    payloadDescription: z.object({
      value: z.number().describe('The number in front of the unit'),
      from: z.string().max(100).describe('Unit of the value, such as degF, miles, gallons, km/h'),
      to: z.string().max(100).describe('Unit that is wanted, such as degC, km, litres, m/s'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('convertUnits', payload)),
);

toolkit.action(
  {
    action: 'list_units',
    actionDescription:
      'Lists the units that convert_units and evaluate_formula know for one quantity, or the quantities when none is named.',
    payloadDescription: z.object({
      quantity: z.string().max(50).exactOptional().describe('length, mass, energy, … Leave out to list them'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('listUnits', payload)),
);

toolkit.action(
  {
    action: 'evaluate_formula',
    actionDescription:
      'Calculates a formula exactly, with units, brackets, functions, lists and matrices: "26.2 miles / (9.5 km/hour) to minutes", ' +
      '"12% of a price" as "price * 12%", "std([3, 5, 8])", "det([1, 2; 3, 4])". Use it for every calculation that must be right.',
    payloadDescription: z.object({
      expression: expression.describe('The formula. Write units in full (minutes, not min) and "to" before the unit that is wanted'),
      variables: z.record(z.string().max(50), z.number()).exactOptional().describe('Values of the names in the formula: {"price": 80}'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('evaluateFormula', payload)),
);

toolkit.action(
  {
    action: 'simplify_formula',
    actionDescription: 'Simplifies an algebraic expression: "2x + 3x" becomes "5 * x". Calculates no numbers for unknowns.',
    payloadDescription: z.object({ expression }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('simplifyFormula', payload)),
);

toolkit.action(
  {
    action: 'differentiate_formula',
    actionDescription: 'Gives the derivative of an expression with respect to one variable: of "x^3 + 2x" by x it is "3 * x ^ 2 + 2".',
    payloadDescription: z.object({
      expression,
      variable: z
        .string()
        .regex(/^[A-Za-z]\w{0,20}$/)
        .describe('Name of the variable'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('differentiateFormula', payload)),
);

toolkit.action(
  {
    action: 'solve_linear_equations',
    actionDescription: 'Solves a system of linear equations for all of its unknowns. As many equations as unknowns are needed.',
    payloadDescription: z.object({
      equations: z.array(z.string().max(500)).min(1).max(20).describe('["2x + 3y = 7", "x - y = 1"]'),
    }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('solveLinearEquations', payload)),
);

toolkit.action(
  {
    action: 'describe_numbers',
    actionDescription:
      'Statistics of a list of numbers: count, sum, mean, median, quartiles, minimum, maximum and sample standard deviation.',
    payloadDescription: z.object({ numbers: z.array(z.number()).min(1).max(10_000) }),
    annotations: READ_ONLY,
  },
  answering((payload) => box.run('describeNumbers', payload)),
);

await box.warmUp();
await serve(toolkit, {
  name: 'Units and maths',
  description: 'Converts units, calculates formulas, solves equations and describes numbers.',
  onStop: () => box.close(),
});

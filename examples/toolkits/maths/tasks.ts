/** The tasks of the time box: everything that calculates. */
import { answerTasks } from '../shared/time-box.ts';
import { solveLinearEquations } from './equations.ts';
import { differentiateFormula, evaluateFormula, simplifyFormula } from './formula.ts';
import { describeNumbers } from './numbers.ts';
import { convertUnits, listUnits } from './units.ts';

const tasks = {
  convertUnits,
  listUnits,
  evaluateFormula,
  simplifyFormula,
  differentiateFormula,
  describeNumbers,
  solveLinearEquations,
};

export type MathTasks = typeof tasks;

answerTasks(tasks);

/** The tasks of the time box: SQL that others wrote. */
import { answerTasks } from '../shared/time-box.ts';
import { query } from './query.ts';

const tasks = { query };

export type ShopTasks = typeof tasks;

answerTasks(tasks);

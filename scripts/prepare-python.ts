/** `npm run prepare:python`: installs all environments of `python/`, before several checks need them at the same time. */
import { ENVIRONMENTS } from './python-environments.ts';
import { findPython, prepareFrameworks, prepareTools } from './run-python.ts';

const python = findPython();
const tools = prepareTools(python);
for (const environment of ENVIRONMENTS) prepareFrameworks(python, tools, environment);

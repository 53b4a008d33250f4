/** The environment of an MCP server: network settings are passed on, this process's keys are not. */
import { SvcError } from 'svc-sdk';
import { networkVariables } from './network-variables';

const INHERITED = ['PATH', 'HOME'];
const OWN_VARIABLE = /^SVC_/i;

/** Throws INVALID_REQUEST for a variable of the service. */
export function childEnvironment(named: Readonly<Record<string, string>> = {}, own: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const refused = Object.keys(named).find((name) => OWN_VARIABLE.test(name));
  if (refused !== undefined) {
    throw new SvcError('INVALID_REQUEST', `An MCP server gets no SVC_… variable: remove ${refused} from env`);
  }
  const inherited = INHERITED.filter((name) => own[name] !== undefined).map((name) => [name, own[name]]);
  return { ...Object.fromEntries(inherited), ...networkVariables(own), ...named };
}

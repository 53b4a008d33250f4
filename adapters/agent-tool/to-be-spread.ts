import { SvcError } from 'svc-sdk';

/** The members of one tool that frameworks read first. No action has such an id. */
export const OF_ONE_TOOL = [
  'name',
  'type',
  'function',
  'description',
  'schema',
  'parameters',
  'inputSchema',
  'metadata',
  'id',
  'run',
  'execute',
  'invoke',
];

/**
 * Makes a framework fail that takes all the tools for one, as in `tools: [svcTools()]`. Most would offer the model a tool without name and schema.
 *
 * @param tools a list, or an object with a tool in each member; a copy of it, such as `[...tools]`, is as usual
 */
export function toBeSpread<T extends object>(tools: T): T {
  const advice = Array.isArray(tools) ? '[...svcTools(), mine]' : '{ ...svcTools(), mine }';
  const get = (): never => {
    throw new SvcError(
      'INVALID_REQUEST',
      `svcTools() is all the tools, and was taken for one: write \`tools: svcTools()\`, or \`tools: ${advice}\` with tools of your own`,
    );
  };
  // Configurable, so that a framework may define the member.
  for (const name of OF_ONE_TOOL) if (!(name in tools)) Object.defineProperty(tools, name, { get, configurable: true });
  return tools;
}

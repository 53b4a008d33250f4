/** Commands that the agent answers without the model. */
export const NEW_COMMAND = '/new';
export const STOP_COMMAND = '/stop';

export function isCommand(message: string, command: string): boolean {
  return message.trim().toLowerCase() === command;
}

/** The answer yes or no in a text; undefined for any other text. */
export function readYesOrNo(message: string): boolean | undefined {
  const word = message.trim().toLowerCase().replace(/[.!]$/, '');
  if (word === 'yes' || word === 'y') return true;
  return word === 'no' || word === 'n' ? false : undefined;
}

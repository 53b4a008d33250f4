/** An action's id begins with its toolkit's, and two underscores. */
export const toolkitOf = (action: string): string => action.slice(0, action.indexOf('__'));

/** An action's id begins with its toolkit's, and two underscores. */
export const toolkitOf = (action: string): string => action.slice(0, Math.max(0, action.indexOf('__')) || action.length);

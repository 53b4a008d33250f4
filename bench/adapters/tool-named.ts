export function toolNamed<T extends { name: string }>(name: string, tools: readonly T[]): T {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`The adapter has no ${name}`);
  return found;
}

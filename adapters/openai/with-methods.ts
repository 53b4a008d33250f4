/** Adds methods to a list. They are not enumerable, so that copies and prints of the list do not show them. */
export function withMethods<List extends unknown[]>(items: List[number][], methods: Omit<List, keyof unknown[]>): List {
  const descriptors = Object.entries(methods).map(([name, value]) => [name, { value }]);
  return Object.defineProperties(items, Object.fromEntries(descriptors)) as List;
}

/** Freezes plain JSON at every level, so that no framework can change the tools that a model sees next. */
export function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}

/** Freezes plain JSON all the way down, so that no framework can change what the next call shows to a model. */
export function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}

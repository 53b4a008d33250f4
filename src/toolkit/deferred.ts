/** A promise that somebody else settles. */
export interface Deferred<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
  reject(reason: unknown): void;
}

/** Its rejection counts as seen, also when nobody awaits the promise; an awaiting caller still gets it. */
export function quietDeferred<Value>(): Deferred<Value> {
  let settle!: Pick<Deferred<Value>, 'resolve' | 'reject'>;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
}

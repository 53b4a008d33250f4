import type { Callback } from './store';

/** A promise of what `work` passes to its callback. */
export function promised<T>(work: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    work((error, value) => {
      if (error === undefined) resolve(value as T);
      else reject(error);
    }),
  );
}

/** Ignores all calls but the first. */
export function once<T>(done: Callback<T>): Callback<T> {
  let isDone = false;
  return (error, value) => {
    if (isDone) return;
    isDone = true;
    done(error, value);
  };
}

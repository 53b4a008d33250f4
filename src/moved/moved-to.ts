/** Throws an error with the new name. Node's own, ERR_PACKAGE_PATH_NOT_EXPORTED, names none. */
export function movedTo(before: string, now: string): never {
  throw new Error(`"${before}" is "${now}" since version 0.14: run npm install svc-service, and load "${now}" instead`);
}

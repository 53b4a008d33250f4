/** Resolves with `otherwise` when `asked` has not settled within `ms`. */
export async function within<T, Other>(ms: number, asked: Promise<T>, otherwise: Other): Promise<T | Other> {
  const late = Promise.withResolvers<Other>();
  const timer = setTimeout(() => late.resolve(otherwise), ms);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

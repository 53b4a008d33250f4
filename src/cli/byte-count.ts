const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** `182 kB`, in steps of 1,000. */
export function byteCount(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  const count = bytes / 1_000 ** step;
  // 999,600 bytes are 1.0 MB, not 1000 kB.
  if (Math.round(count) === 1_000 && step < UNITS.length) return `1.0 ${UNITS[step]}`;
  return `${count < 9.95 ? count.toFixed(1) : Math.round(count)} ${UNITS[step - 1]}`;
}

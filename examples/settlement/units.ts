/** A decimal text such as `0.05` as a whole number of its smallest units. No floats: 1.001 * 1e6 is 1000999.9999999999. */
export function toUnits(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (/[1-9]/.test(fraction.slice(decimals))) throw new Error(`${amount} has more than ${decimals} decimals`);
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

import type { Unit } from 'mathjs';
import { Refusal } from '../shared/refusal.ts';
import { math, show, tidy } from './math.ts';

const SIGNS: Record<string, string> = { '°C': 'degC', '℃': 'degC', '°F': 'degF', '℉': 'degF', '°': 'deg', Ω: 'ohm', µm: 'um' };

export function convertUnits({ value, from, to }: { value: number; from: string; to: string }) {
  const source = measure(value, from);
  const target = measure(1, to);
  if (!source.equalBase(target)) {
    throw new Refusal('UNITS_DO_NOT_MATCH', `${from} and ${to} measure different things; list_units shows what belongs together`);
  }
  const converted = source.to(unitName(to));
  const result = tidy(converted.toNumber(unitName(to)));
  return { value: result, unit: to, text: `${value} ${from} = ${show(result)} ${to}` };
}

function measure(value: number, unit: string): Unit {
  // mathjs would drop the 5 of "5 km" without a word.
  if (/^\s*[\d.+-]/.test(unit)) throw new Refusal('UNKNOWN_UNIT', `"${unit}" is more than a unit; the number belongs into "value"`);
  try {
    return math.unit(value, unitName(unit));
  } catch {
    throw new Refusal('UNKNOWN_UNIT', `There is no unit "${unit}". Write units like km/h, degC, gallon or kWh; list_units shows them all`);
  }
}

function unitName(text: string): string {
  return SIGNS[text.trim()] ?? text;
}

export function listUnits({ quantity }: { quantity?: string }) {
  const all = Object.keys(math.Unit.UNITS).map((unit) => ({ unit, quantity: quantityOf(unit) }));
  const quantities = [...new Set(all.map(({ quantity }) => quantity))].sort();
  if (quantity === undefined) return { quantities };
  const wanted = quantity.trim().toLowerCase().replaceAll(' ', '_');
  const units = all.filter(({ quantity }) => quantity === wanted).map(({ unit }) => unit);
  if (units.length === 0) throw new Refusal('UNKNOWN_QUANTITY', `There is no quantity "${quantity}"; there are ${quantities.join(', ')}`);
  return { quantity: wanted, units: units.sort(), prefixes: 'Most metric units take prefixes: kilometer or km, milligram or mg' };
}

const QUANTITY_NAMES: Record<string, string> = { surface: 'area', bit: 'data' };

function quantityOf(unit: string): string {
  // The published types say Unit; at run time an entry of UNITS is a plain object whose base has a key.
  const { base } = math.Unit.UNITS[unit] as unknown as { base: { key: string } };
  const key = base.key.toLowerCase();
  if (key.startsWith('none')) return 'number';
  return QUANTITY_NAMES[key] ?? key;
}

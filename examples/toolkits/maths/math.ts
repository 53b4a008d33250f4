/** The one mathjs of this toolkit, with everyday units that mathjs does not bring. It is set up here and never changed again. */
import { all, create, type FactoryFunctionMap } from 'mathjs';

export const math = create(all as FactoryFunctionMap);

math.createUnit({
  mph: '1 mile/hour',
  kph: '1 km/hour',
  knot: { definition: '1852 m/hour', aliases: ['knots'] },
  nauticalmile: { definition: '1852 m', aliases: ['nauticalmiles'] },
  metre: { definition: '1 m', prefixes: 'long', aliases: ['metres'] },
  pound: { definition: '1 lbm', aliases: ['pounds'] },
  calorie: { definition: '4.184 J', prefixes: 'long', aliases: ['calories'] },
  kcal: '4184 J',
  horsepower: '745.699872 W',
});

/** Twelve digits: hides the noise of binary fractions (0.1 + 0.2) and is more than any measurement holds. */
export function show(value: unknown): string {
  return math.format(value, { precision: 12 });
}

export function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

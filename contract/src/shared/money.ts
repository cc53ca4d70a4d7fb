import { z } from 'zod';
import { Name } from '../kit/schema.ts';
import { Money } from './patterns.ts';

/** Specification section 9: 1 ¥, 2 $. */
export const currencies = ['1', '2'] as const;

export const Part = z.strictObject({
  name: Name,
  quantity: z.int().min(1).max(9999).default(1),
  price: Money.or(z.literal('')).default(''),
});
export type Part = z.output<typeof Part>;

/** In hundredths: exact, as money has to be. */
export const centsOf = (price: string): number => {
  const [whole = '0', cents = ''] = price.split('.');
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
};

/** What parts cost, in hundredths. */
export const costOf = (parts: readonly Pick<Part, 'quantity' | 'price'>[]): number =>
  parts.reduce((sum, { quantity, price }) => sum + quantity * centsOf(price), 0);

/** Pictures of one piece of work. */
export const MOST_PHOTOS = 9;

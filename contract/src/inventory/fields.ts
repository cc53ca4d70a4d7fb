import { z } from 'zod';
import { MOST_SNS } from '../device/group-calls.ts';

/** Specification section 4: how a terminal came to be here (1-5), and how a known one came into stock (6-9). */
export const entryTypes = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/** As people number their documents; generated where it is left empty. */
export const DocumentNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$|^$/, 'invalid.documentNumber')
  .default('');

/** What may happen to a terminal between organisations and people. */
export const custodyEvents = [
  'entered',
  'stocked',
  'issued',
  'moved',
  'dispatched',
  'received',
  'returned',
  'withdrawn',
  'sold',
  'saleReturned',
  'replaced',
  'replaces',
] as const;

/** Why a serial number of a list isn't taken. */
export const stockRefusals = [
  'wrong',
  'twice',
  'unknown',
  'there',
  'taken',
  'state',
  'transfer',
  'sold',
  'product',
  'notStocked',
  'price',
] as const;

export const Sns = z.array(z.string().max(64)).min(1).max(MOST_SNS);

/** What became of a list; without `anyway` one refused SN keeps all of them. */
export const listed = {
  done: z.int(),
  refused: z.int(),
  /** The first 200 of them; `document` is the one that has the terminal. */
  problems: z.array(z.object({ sn: z.string(), reason: z.enum(stockRefusals), document: z.string() })),
};

/** Why a transfer failed: its terminal was elsewhere, in use or of a product that isn't there, the receiver refused it, the sender took it back on the way. */
export const transferReasons = ['away', 'use', 'sold', 'deleted', 'transfer', 'product', 'refused', 'takenBack'] as const;

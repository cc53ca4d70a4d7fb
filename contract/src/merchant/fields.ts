import { z } from 'zod';
import { field } from '../kit/field.ts';
import { Email } from '../shared/patterns.ts';

const Text = (most: number) => z.string().trim().max(most).default('');

/** As acquirers number their merchants and merchants their shops. */
export const PlaceNumber = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, { message: 'invalid.merchantNumber' });
export const Phone = z
  .string()
  .trim()
  .max(32)
  .regex(/^[+\d][\d\s().\-/]*$|^$/, 'invalid.phone')
  .default('');
export const MailAddress = z.union([z.literal(''), Email]).default('');
export const Country = z.union([z.literal(''), z.string().regex(/^[A-Z]{2}$/, 'invalid.country')]).default('');
export const [City, Address, Contact, Postcode] = [Text(64), Text(200), Text(64), Text(16)];

/** What is too small to be a place of its own is nothing, as with the words of terminals. */
const degrees = (most: number) =>
  z
    .number()
    .min(-most)
    .max(most)
    .overwrite((value) => (Math.abs(value) < 1e-30 ? 0 : value))
    .nullable()
    .default(null);
/** Where something is on the map; both or none (design 2: positions are degrees of WGS 84). */
export const position = {
  lat: field(degrees(90), { text: 'merchant.lat' }),
  lon: field(degrees(180), { text: 'merchant.lon' }),
};

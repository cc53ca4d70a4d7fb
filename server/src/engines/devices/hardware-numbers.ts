import { type RawBuilder, sql } from 'kysely';
import { escapeLike } from '../../platform/db/criteria.ts';

/** From so many signs on a text may be the beginning of a number: fewer begin that of every terminal of a maker. */
const LEAST = { number: 6, mac: 6, pn: 3 } as const;
const begins = (column: RawBuilder<unknown>, text: string) => sql<boolean>`${column} like ${`${escapeLike(text)}%`}`;

/** Devices (as `d`) whose IMEI, ICCID, MAC or PN begins so; colons of a MAC may be left out. Each part has its own index. */
export function byNumbers(text: string): RawBuilder<boolean>[] {
  const upper = text.trim().toUpperCase();
  const bare = upper.replace(/[:.-]/g, '');
  const found: RawBuilder<boolean>[] = [];
  if (/^\d+$/.test(upper) && upper.length >= LEAST.number) found.push(begins(sql`d.imei`, upper));
  if (/^\d+F?$/.test(upper) && upper.length >= LEAST.number) found.push(begins(sql`upper(d.iccid)`, upper));
  if (/^[0-9A-F]{6,12}$/.test(bare) && bare.length >= LEAST.mac) found.push(begins(sql`upper(translate(d.mac, ':-.', ''))`, bare));
  if (upper.length >= LEAST.pn) found.push(begins(sql`upper(d.pn)`, upper));
  return found;
}

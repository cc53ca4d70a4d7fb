import { deviceGroupCalls, MOST_GROUPS } from '@mooring/contract/device/group-calls';
import { isAllowed } from '@mooring/contract/kit/permission';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import type { Ctx } from '../../../platform/context.ts';
import type { WrongCell } from '../../../platform/work/sheet-kind.ts';
import { groupNames, merchantNumbers, shopNumbers } from './look-ups.ts';

const columns = ['merchant', 'shop', 'groups'] as const;
type Place = (typeof columns)[number];
type Cells = Readonly<Partial<Record<Place, string>>>;
interface Bad {
  push(cell: WrongCell<Place>): unknown;
}

/** A cell does no more than the call of its own does, which asks for this. */
const cans = { merchant: merchantCalls.assign.can, shop: merchantCalls.assign.can, groups: deviceGroupCalls.addMembers.can } as const;
/** Columns that the person's rights have nothing for. */
export const barredOf = ({ actor }: Pick<Ctx, 'actor'>): ReadonlySet<string> =>
  new Set(columns.filter((column) => !isAllowed(actor.permissions, cans[column])));

/** What a cell lists, as far as anything may have so many. */
export function listed(text: string | undefined): string[] {
  const found = new Set<string>();
  for (const [part] of (text ?? '').matchAll(/[^,;，；、]+/g)) {
    if (part.trim() !== '') found.add(part.trim());
    if (found.size > MOST_GROUPS) break;
  }
  return [...found];
}

/** Where a terminal of an organisation stands, and which groups it is in: merchants and groups are of its organisation or one above it in sight. */
export function places(ctx: Ctx) {
  const [merchants, shops, groups] = [merchantNumbers(ctx), shopNumbers(ctx), groupNames(ctx)];
  const merchantsAt = (number: string | undefined, path: string) => (merchants.of(number) ?? []).filter((one) => path.startsWith(one.path));

  const barred = barredOf(ctx);
  return {
    /** The cells without those that are filled without the right to it. */
    allowed<T extends Cells>(text: T, bad: Bad): T {
      const filled = columns.filter((column) => text[column] && barred.has(column));
      for (const column of filled) bad.push({ column, fault: 'FORBIDDEN' });
      return { ...text, ...Object.fromEntries(filled.map((column) => [column, ''])) };
    },
    async load(rows: readonly { readonly text: Cells; readonly path: string | undefined }[]) {
      await merchants.load(rows.map(({ text }) => text.merchant));
      await groups.load(rows.flatMap(({ text }) => listed(text.groups)));
      await shops.load(
        rows.flatMap(({ text, path }) => {
          const [only] = path === undefined ? [] : merchantsAt(text.merchant, path);
          return only && text.shop ? [`${only.id}/${text.shop}`] : [];
        }),
      );
    },
    merchant(text: Cells, path: string, bad: Bad): { merchantId: number | null; shopId: number | null } {
      const nowhere = { merchantId: null, shopId: null };
      if (!text.merchant) {
        if (text.shop) bad.push({ column: 'shop', fault: 'SHEET_NO_MERCHANT' });
        return nowhere;
      }
      const [only, second] = merchantsAt(text.merchant, path);
      if (!only || second) {
        bad.push({ column: 'merchant', fault: second ? 'SHEET_MANY_MERCHANTS' : 'NOT_FOUND' });
        return nowhere;
      }
      const shopId = text.shop ? shops.of(`${only.id}/${text.shop}`) : null;
      if (shopId === undefined) bad.push({ column: 'shop', fault: 'NOT_FOUND' });
      return { merchantId: only.id, shopId: shopId ?? null };
    },
    groups(text: Cells, path: string, bad: Bad): number[] {
      return listed(text.groups).flatMap((name) => {
        const [only, second] = (groups.of(name) ?? []).filter((one) => path.startsWith(one.path));
        if (only && !second) return [only.id];
        bad.push({ column: 'groups', fault: second ? 'SHEET_MANY_GROUPS' : 'SHEET_GROUP' });
        return [];
      });
    },
  };
}

import { VersionKind } from '@mooring/contract/stats/compliance-calls';
import type { Span } from '@mooring/contract/stats/schemas';
import { useMemo } from 'react';
import { terminalsPath } from '../../kit/terminals-path.ts';
import { chooseSearch, searchNow, useView } from '../../kit/view.ts';

/** What the cards are asked for; the address holds it. */
export interface Asked {
  readonly where: { readonly deptId?: number; readonly productId?: number };
  readonly days: Span;
  readonly kind: VersionKind;
  readonly everywhere: () => void;
  readonly set: (name: 'dept' | 'product' | 'days' | 'kind', value: string | number | undefined) => void;
}

const idOf = (text: string | null) => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);
const spanOf = (text: string | null): Span => (text === '1' || text === '30' ? text : '7');

export function useAsked(): Asked {
  const view = useView();
  return useMemo(() => {
    const [deptId, productId] = [idOf(view.search.get('dept')), idOf(view.search.get('product'))];
    return {
      where: { ...(deptId === undefined ? {} : { deptId }), ...(productId === undefined ? {} : { productId }) },
      days: spanOf(view.search.get('days')),
      kind: VersionKind.catch('firmware').parse(view.search.get('kind')),
      everywhere() {
        const next = searchNow(view);
        for (const name of ['dept', 'product']) next.delete(name);
        chooseSearch(view, next);
      },
      set(name, value) {
        const next = searchNow(view);
        if (value === undefined) next.delete(name);
        else next.set(name, String(value));
        chooseSearch(view, next);
      },
    };
  }, [view]);
}

/** The list of terminals with a filter of its own, of the place, with all below it as the cards count, and of the product that they show. */
export function listOf(platform: 'centre' | 'manager', where: Asked['where'], filter: Readonly<Record<string, string>> = {}): string {
  return terminalsPath(platform, {
    ...filter,
    ...(where.deptId === undefined ? {} : { below: String(where.deptId) }),
    ...(where.productId === undefined ? {} : { productId: String(where.productId) }),
  });
}

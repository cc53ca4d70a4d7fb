import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { stockCalls } from '@mooring/contract/inventory/stock';
import { useState } from 'react';
import { useCall } from '../../kit/queries.ts';

const said = (text: string) => ({ text });

/** Organisations that terminals may go to. */
export function useTargets(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(dispatchCalls.targets, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => Number.isInteger(id) && !found.data?.some((one) => one.id === id));
  const named = useCall(dispatchCalls.targets, { ids: missing }, { enabled: missing.length > 0 });
  const rows = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: rows.map((one) => ({ value: one.id, label: said(one.name) })),
    busy: found.fetching || named.fetching,
    madeOn: ['dept'],
  };
}

/** Terminals in stock, by a part of the SN or document. */
export function useStocked(text: string, chosen: readonly (string | number)[]) {
  const page = { size: 20, sort: 'sn', order: 'asc' } as const;
  const found = useCall(stockCalls.page, { criteria: text === '' ? {} : { text }, page }, { keep: true });
  const rows = found.data?.content ?? [];
  const [seen] = useState(() => new Map<number, string>());
  for (const { id, sn, productName } of rows) seen.set(id, `${sn} · ${productName}`);
  const kept = chosen.map(Number).filter((id) => !rows.some((one) => one.id === id));
  const ids = [...rows.map(({ id }) => id), ...kept];
  return {
    choices: ids.map((id) => ({ value: id, label: said(seen.get(id) ?? String(id)) })),
    busy: found.fetching,
    madeOn: ['inventoryStock'],
  };
}

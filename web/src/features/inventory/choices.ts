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
  const [seen] = useState(() => new Map<number, string>());
  for (const one of found.data ?? []) seen.set(one.id, one.name);
  // One beside is found by its whole name alone: chosen, it is still there when the search says something else.
  const names = new Map((named.data ?? []).map((one) => [one.id, one.name]));
  const kept = missing.flatMap((id) => {
    const name = names.get(id) ?? seen.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  const rows = [...(found.data ?? []), ...kept];
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

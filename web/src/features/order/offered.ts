import { FAULTS, orderCalls } from '@mooring/contract/order/calls';
import { createContext, use } from 'react';
import { useDict, useTerminals } from '../../kit/choices.ts';
import { useCall } from '../../kit/queries.ts';

const said = (text: string) => ({ text });

/** What is chosen and isn't among what was found: it is asked for by its id. */
const missingOf = (chosen: readonly (string | number)[], found: readonly { readonly id: number }[] | undefined) =>
  chosen.map(Number).filter((id) => Number.isInteger(id) && !found?.some((one) => one.id === id));

/** Who may repair: the own organisation, those above and those below it. */
export function usePartners(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(orderCalls.partners, { text }, { keep: true });
  const missing = missingOf(chosen, found.data);
  const named = useCall(orderCalls.partners, { ids: missing }, { enabled: missing.length > 0 });
  const rows = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return { choices: rows.map((one) => ({ value: one.id, label: said(one.name) })), busy: found.fetching || named.fetching };
}

/** The order for which somebody, or something, is chosen. */
export const ForOrder = createContext(0);
/** Members of its partner. */
export function useEngineers(text: string, chosen: readonly (string | number)[]) {
  const id = use(ForOrder);
  const found = useCall(orderCalls.engineers, { id, text }, { keep: true });
  const missing = missingOf(chosen, found.data);
  const named = useCall(orderCalls.engineers, { id, ids: missing }, { enabled: missing.length > 0 });
  const rows = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.account})`) })),
    busy: found.fetching || named.fetching,
  };
}

/** Terminals of its partner's stock. */
export function useReplacements(text: string) {
  const found = useCall(orderCalls.replacements, { id: use(ForOrder), text }, { keep: true });
  const rows = found.data ?? [];
  return {
    choices: rows.map((one) => ({ value: one.id, label: said([one.sn, one.productName].filter(Boolean).join(' · ')) })),
    busy: found.fetching,
    madeOn: ['inventoryStock'],
  };
}

/** Kinds of faults, by the picklist. */
export const useFaults = (text: string) => useDict(FAULTS, text);

/** The merchant whose terminals are offered; 0: all. */
export const AtMerchant = createContext(0);
export const useTerminalsHere = (text: string, chosen: readonly (string | number)[]) => useTerminals(text, chosen, use(AtMerchant));

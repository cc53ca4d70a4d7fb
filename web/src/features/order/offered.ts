import type { OutputOf } from '@mooring/contract/kit/call';
import { FAULTS, orderCalls } from '@mooring/contract/order/calls';
import { createContext, use } from 'react';
import { useActed } from '../../kit/act/acted.ts';
import { useDict, useFound, useTerminals } from '../../kit/choices.ts';
import { useCall } from '../../kit/queries.ts';
import type { Row } from './order-cells.tsx';

const said = (text: string) => ({ text });

/** Who may repair: the own organisation, those above and those below it. */
export function usePartners(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(orderCalls.partners, text, chosen);
  return { choices: rows.map((one) => ({ value: one.id, label: said(one.name) })), busy };
}

const named = ({ rows, busy }: { readonly rows: OutputOf<typeof orderCalls.engineers>; readonly busy: boolean }) => ({
  choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.account})`) })),
  busy,
});

/** Members of the partner of the order. */
export function useEngineers(text: string, chosen: readonly (string | number)[]) {
  const { id } = useActed<Row>();
  return named(useFound(orderCalls.engineers, text, chosen, { id }));
}

/** Those of the own organisation, to look for what is theirs. */
export function useOwnEngineers(text: string, chosen: readonly (string | number)[]) {
  return named(useFound(orderCalls.engineers, text, chosen));
}

/** Terminals of its partner's stock. */
export function useReplacements(text: string) {
  const { id } = useActed<Row>();
  const found = useCall(orderCalls.replacements, { id, text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: said([one.sn, one.productName].filter(Boolean).join(' · ')) })),
    busy: found.fetching,
    madeOn: ['inventoryStock'],
  };
}

/** Kinds of faults, by the picklist. */
export const useFaults = (text: string) => useDict(FAULTS, text);

/** The merchant whose terminals are offered; 0: all. */
export const AtMerchant = createContext(0);
export const useTerminalsHere = (text: string, chosen: readonly (string | number)[]) => useTerminals(text, chosen, use(AtMerchant));

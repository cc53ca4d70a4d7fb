import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { createElement } from 'react';
import { ProductPicture } from './product-picture.tsx';
import { useCall } from './queries.ts';

const said = (text: string) => ({ text: text });

/** Departments at and below the one that the person acts for. */
export function useDepts(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(deptCalls.search, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => Number.isInteger(id) && !found.data?.some((one) => one.id === id));
  const named = useCall(deptCalls.search, { ids: missing }, { enabled: missing.length > 0 });
  const depts = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: depts.map((one) => ({ value: one.id, label: said(one.name) })),
    busy: found.fetching || named.fetching,
    madeOn: ['dept'],
  };
}

export function useProducts(text: string) {
  const found = useCall(productCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({
      value: one.id,
      label: said(`${one.name} (${one.code})`),
      picture: createElement(ProductPicture, { of: one, size: 24 }),
    })),
    busy: found.fetching,
    madeOn: ['product'],
  };
}

export function useFirms(text: string) {
  const found = useCall(firmCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: said(one.name) })),
    busy: found.fetching,
    madeOn: ['product'],
  };
}

/** The entries of a code list, in the person's language. */
export function useDict(type: string, text: string) {
  const found = useCall(dictFindCalls.findByCriteria, { criteria: { type } });
  const part = text.toLowerCase();
  const fitting = (found.data ?? []).filter((one) => one.label.toLowerCase().includes(part) || one.value.toLowerCase().includes(part));
  return { choices: fitting.map((one) => ({ value: one.value, label: said(one.label) })), busy: found.fetching, madeOn: ['paramsDic'] };
}

/** What a code list calls a value; the value itself where it has no such entry any more. */
export function DictLabel({ type, value }: { type: string; value: string }) {
  const found = useCall(dictFindCalls.findByCriteria, { criteria: { type, disabled: true } });
  return found.data?.find((one) => one.value === value)?.label ?? value;
}

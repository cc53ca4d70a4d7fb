import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { useCall } from '../../kit/queries.ts';

const said = (text: string) => ({ text: text });

export function useProducts(text: string) {
  const found = useCall(productCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: said(`${one.name} (${one.code})`) })),
    busy: found.fetching,
    madeOn: ['product'],
  };
}

export function useFirmwares(text: string) {
  const found = useCall(deviceCalls.firmwares, {});
  const fitting = (found.data ?? []).filter((one) => one.version.toLowerCase().includes(text.toLowerCase()));
  return { choices: fitting.map((one) => ({ value: one.version, label: said(`${one.version} (${one.count})`) })), busy: found.fetching };
}

export function useTags(text: string) {
  const found = useCall(deviceCalls.tags, {});
  const fitting = (found.data ?? []).filter((one) => one.toLowerCase().includes(text.toLowerCase()));
  return { choices: fitting.map((one) => ({ value: one, label: said(one) })), busy: found.fetching };
}

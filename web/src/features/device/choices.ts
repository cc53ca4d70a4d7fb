import { deviceCalls } from '@mooring/contract/device/calls';
import { useCall } from '../../kit/queries.ts';

const said = (text: string) => ({ text: text });

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

export function useApps(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(deviceCalls.apps, { text });
  const listed = found.data ?? [];
  const missing = chosen.filter((one) => !listed.some((app) => app.packageName === one));
  return {
    choices: [
      ...listed.map((one) => ({ value: one.packageName, label: said(one.name) })),
      ...missing.map((one) => ({ value: one, label: said(String(one)) })),
    ],
    busy: found.fetching,
  };
}

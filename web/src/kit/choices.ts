import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { Call } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import type { messageCalls } from '@mooring/contract/message/calls';
import type { noticeCalls } from '@mooring/contract/message/notice-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { createElement, useState } from 'react';
import type { z } from 'zod';
import { useNamedCountries } from './countries.ts';
import { ProductPicture } from './product-picture.tsx';
import { useCall } from './queries.ts';

const said = (text: string) => ({ text: text });

/** Those found, and those chosen that weren't, by the call that finds either. What is `narrowed` holds for the search alone. */
export function useFound<R extends { readonly id: number }>(
  call: Call<z.ZodType, z.ZodType<R[]>>,
  text: string,
  chosen: readonly (string | number)[],
  of: object = {},
  narrowed: object = {},
) {
  const found = useCall(call, { text, ...of, ...narrowed }, { keep: true });
  const missing = chosen.map(Number).filter((id) => Number.isInteger(id) && id > 0 && !found.data?.some((one) => one.id === id));
  const named = useCall(call, { ids: missing, ...of }, { enabled: missing.length > 0 });
  return { rows: [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])], busy: found.fetching || named.fetching };
}

/** Departments at and below the one that the person acts for. */
export function useDepts(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(deptCalls.search, text, chosen);
  return { choices: rows.map((one) => ({ value: one.id, label: said(one.name) })), busy, madeOn: ['dept'] };
}

/** Groups of terminals; with the organisation, since each has names of its own. */
export function useGroups(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(deviceGroupCalls.list, text, chosen);
  return {
    choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} · ${one.deptName}`), kind: one.kind })),
    busy,
    madeOn: ['deviceGroup'],
  };
}
/** Those whose terminals people choose. */
export function useStaticGroups(text: string, chosen: readonly (string | number)[]) {
  const found = useGroups(text, chosen);
  return { ...found, choices: found.choices.filter(({ kind }) => kind === 'static') };
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

const zones = Intl.supportedValuesOf('timeZone');

/** Time zones by their names. */
export function useZones(text: string, chosen: readonly (string | number)[]) {
  const part = text.toLowerCase().replaceAll(' ', '_');
  const found = ['UTC', ...zones].filter((zone) => zone.toLowerCase().includes(part)).slice(0, 50);
  const all = [...new Set([...found, ...chosen.map(String)])];
  return { choices: all.map((zone) => ({ value: zone, label: { text: zone.replaceAll('_', ' ') } })) };
}

/** Countries by their names in the person's language. */
export function useCountries(text: string) {
  const named = useNamedCountries();
  const part = text.toLowerCase();
  const fitting = named.filter(({ value, label }) => label.toLowerCase().includes(part) || value.toLowerCase() === part);
  return { choices: fitting.map(({ value, label }) => ({ value, label: said(label) })), busy: named.length === 0 };
}

/** What a country is called; its code where nobody knows it. */
export function CountryName({ code }: { code: string }) {
  return useCountries('').choices.find(({ value }) => value === code)?.label.text ?? code;
}

export function useMerchants(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(merchantCalls.search, text, chosen);
  return { choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.number})`) })), busy, madeOn: ['merchant'] };
}

export function useShops(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(shopCalls.search, text, chosen);
  return {
    choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.number}) · ${one.merchantName}`) })),
    busy,
    madeOn: ['merchant'],
  };
}

/** Those of one merchant. */
export function useShopsOf(merchantId: number | undefined, text: string) {
  const found = useCall(
    shopCalls.search,
    { text, ...(merchantId === undefined ? {} : { merchantId }) },
    { keep: true, enabled: merchantId !== undefined },
  );
  const rows = merchantId === undefined ? [] : (found.data ?? []);
  return { choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.number})`) })), busy: found.fetching };
}

/** Terminals by a part of SN or name; of one merchant, where one is named. */
export function useTerminals(text: string, chosen: readonly (string | number)[], merchantId?: number) {
  const page = { size: 20, sort: 'sn', order: 'asc' } as const;
  const found = useCall(
    deviceCalls.page,
    { criteria: { ...(text === '' ? {} : { text }), ...(merchantId ? { merchantId } : {}) }, page },
    { keep: true },
  );
  const rows = found.data?.content ?? [];
  const kept = chosen.map(Number).filter((id) => !rows.some((one) => one.id === id));
  const [seen] = useState(() => new Map<number, string>());
  for (const { id, sn } of rows) seen.set(id, sn);
  const labels = [
    ...rows.map((one) => ({ value: one.id, label: said(one.name === one.sn ? one.sn : `${one.sn} · ${one.name}`) })),
    ...kept.map((id) => ({ value: id, label: said(seen.get(id) ?? String(id)) })),
  ];
  return { choices: labels, busy: found.fetching, madeOn: ['device', 'deviceAll'] };
}

type People = typeof alarmReceiverCalls.people | typeof messageCalls.people | typeof noticeCalls.people | typeof uploadMonitorCalls.people;
/** People of the scope, for who may make this call. */
export function usePeopleBy(call: People, text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(call, text, chosen);
  return {
    choices: rows.map((one) => ({ value: one.id, label: said(`${one.name} (${one.account})`), about: said(one.deptName) })),
    busy,
    madeOn: ['member', 'managerMember'] as const,
  };
}

/** Lists of people and addresses that hear of alarms. */
export function useReceivers(text: string) {
  const found = useCall(alarmReceiverCalls.list, { text }, { keep: true });
  return {
    choices: (found.data ?? []).map((one) => ({ value: one.id, label: { text: `${one.name} · ${one.deptName}` } })),
    busy: found.fetching,
  };
}

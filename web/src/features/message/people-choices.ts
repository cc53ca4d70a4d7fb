import { roleCalls } from '@mooring/contract/access/role-calls';
import type { messageCalls } from '@mooring/contract/message/calls';
import type { noticeCalls } from '@mooring/contract/message/notice-calls';
import { useCall } from '../../kit/queries.ts';

type Search = typeof messageCalls.people | typeof noticeCalls.people;

/** People of the scope, for who may make this call. */
export function usePeopleBy(call: Search, text: string, chosen: readonly (string | number)[]) {
  const found = useCall(call, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => !found.data?.some((one) => one.id === id));
  const named = useCall(call, { ids: missing }, { enabled: missing.length > 0 });
  const people = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: people.map((one) => ({ value: one.id, label: { text: `${one.name} (${one.account})` }, about: { text: one.deptName } })),
    busy: found.fetching || named.fetching,
    madeOn: ['member', 'managerMember'],
  };
}

export function useRoles(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(roleCalls.list, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => !found.data?.some((one) => one.id === id));
  const named = useCall(roleCalls.list, { ids: missing.slice(0, 50) }, { enabled: missing.length > 0 });
  const roles = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: roles.map((one) => ({ value: one.id, label: { text: one.name }, about: { text: one.deptName } })),
    busy: found.fetching || named.fetching,
  };
}

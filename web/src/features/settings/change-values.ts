import { roleCalls } from '@mooring/contract/access/role-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import type { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { usePermissionNames } from '../../kit/permissions.ts';
import { useCall } from '../../kit/queries.ts';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { idsIn } from './change-ids.ts';

type Changes = OutputOf<typeof changeRequestCalls.page>['content'][number]['changes'];

/** The names of what a change names by id. */
function useNames(changes: Changes): { dept: ReadonlyMap<number, string>; role: ReadonlyMap<number, string> } {
  const ids = idsIn(Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])));
  const depts = useCall(deptCalls.search, { ids: ids.dept.slice(0, 100) }, { enabled: ids.dept.length > 0 });
  const roles = useCall(roleCalls.list, { ids: ids.role.slice(0, 50) }, { enabled: ids.role.length > 0 });
  return {
    dept: new Map((ids.dept.length > 0 ? (depts.data ?? []) : []).map(({ id, name }) => [id, name])),
    role: new Map((ids.role.length > 0 ? (roles.data ?? []) : []).map(({ id, name }) => [id, name])),
  };
}

/** A value of a setting as its form would show it; `name` is the key of its field's text. */
export function useWritten(changes: Changes): (value: unknown, name: string) => string {
  const t = useT();
  const loose = useLooseT();
  const permission = usePermissionNames();
  const format = useFormat();
  const names = useNames(changes);
  const labels: Readonly<Record<string, string>> = {
    group: t('settings.sso.group'),
    roleId: t('settings.sso.role'),
    deptId: t('settings.sso.dept'),
  };
  const written = (value: unknown, name: string): string => {
    if (value === null || value === undefined || value === '') return '—';
    if (typeof value === 'boolean') return t(value ? 'kit.yes' : 'kit.no');
    if (typeof value === 'number' && name.endsWith('Minutes')) return format.span(value * 60);
    if (typeof value === 'number' && /deptId$/i.test(name)) return names.dept.get(value) ?? String(value);
    if (typeof value === 'number' && /roleId$/i.test(name)) return names.role.get(value) ?? String(value);
    if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => written(one, name)).join(', ');
    if (typeof value !== 'object') return loose(`${name}.${String(value)}`, permission(String(value)));
    return Object.entries(value)
      .map(([field, one]) => `${labels[field] ?? field}: ${written(one, `${name}.${field}`)}`)
      .join(' · ');
  };
  return written;
}

export interface NamedIds {
  readonly dept: readonly number[];
  readonly role: readonly number[];
}

/** The organisations and roles that a value names by id, by the names of its fields. */
export function idsIn(value: unknown): NamedIds {
  const found = { dept: new Set<number>(), role: new Set<number>() };
  const walk = (one: unknown, field: string) => {
    if (typeof one === 'number') {
      if (/deptId$/i.test(field)) found.dept.add(one);
      if (/roleId$/i.test(field)) found.role.add(one);
    } else if (Array.isArray(one)) for (const each of one) walk(each, field);
    else if (one !== null && typeof one === 'object') for (const [key, each] of Object.entries(one)) walk(each, key);
  };
  walk(value, '');
  return { dept: [...found.dept], role: [...found.role] };
}

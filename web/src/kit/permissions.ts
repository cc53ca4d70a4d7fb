import { permissionNames } from '@mooring/contract/access/acts';
import { useMemo } from 'react';
import { useLooseT } from '../ui/words.ts';

/** Permissions by the page and the button that people know them by; one that this version doesn't have keeps its code. */
export function usePermissionNames(): (perm: string) => string {
  const loose = useLooseT();
  return useMemo(() => {
    const names = permissionNames((key) => loose(key, key));
    return (perm: string) => names.get(perm) ?? perm;
  }, [loose]);
}

/** Those of a list that hold what was typed, in their name or their code. */
export function usePermissionChoices(perms: readonly string[], text: string) {
  const nameOf = usePermissionNames();
  const part = text.toLowerCase();
  const choices = perms
    .map((perm) => ({ value: perm, label: { text: nameOf(perm) } }))
    .filter(({ value, label }) => value.toLowerCase().includes(part) || label.text.toLowerCase().includes(part));
  return { choices };
}

import { roleCalls } from '@mooring/contract/access/role-calls';
import { useFound } from '../../kit/choices.ts';

/** The roles that one call names at most. */
const MOST_NAMED = 50;
export function useRoles(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(roleCalls.list, text, chosen.slice(0, MOST_NAMED));
  return { choices: rows.map((one) => ({ value: one.id, label: { text: one.name }, about: { text: one.deptName } })), busy };
}

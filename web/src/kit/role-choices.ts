import { roleCalls } from '@mooring/contract/access/role-calls';
import { useFound } from './choices.ts';

export function useRoles(text: string, chosen: readonly (string | number)[]) {
  const { rows, busy } = useFound(roleCalls.list, text, chosen);
  return { choices: rows.map((one) => ({ value: one.id, label: { text: one.name } })), busy, madeOn: ['role', 'managerRole'] };
}

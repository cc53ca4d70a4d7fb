import { t } from '../../platform/texts/translate.ts';
import { seededRoles } from './seed-roles.ts';

const codes = new Map(seededRoles.map((role) => [role.name, role.code]));

/** A role's name; that of a role which the product brings is said in the reader's language. */
export function roleName(name: string, lang: string): string {
  const code = codes.get(name);
  return code === undefined ? name : t(lang, `access.seeded.${code}`);
}

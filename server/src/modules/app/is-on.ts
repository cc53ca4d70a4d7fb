import { type RawBuilder, sql } from 'kysely';
import type { VersionRow } from './version-rows.ts';

export type Installable = Pick<VersionRow, 'package_name' | 'version_code' | 'certificate_sha256'>;

/** Whether an installed app is this version: an equal code by another certificate isn't. A terminal that names none is believed. */
export const isOn = (
  installed: string,
  { package_name: name, version_code: code, certificate_sha256: signer }: Installable,
): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${installed}.${column}`);
  return sql<boolean>`(${of('package_name')} = ${name} and ${of('version_code')} = ${code} and (${of('certificate')} is null or ${of('certificate')} = ${signer}))`;
};

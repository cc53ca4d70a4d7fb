import { type RawBuilder, sql } from 'kysely';
import type { VersionRow } from './version-rows.ts';

export type Installable = Pick<VersionRow, 'package_name' | 'version_code' | 'certificate_sha256' | 'lineage'>;

/**
 * Certificates by which a version `v` counts as installed: its own, and those before a rotation that it proves. An Android that reads no rotation goes
 * by the oldest.
 */
export const signersOf = ({ certificate_sha256: own, lineage }: Pick<VersionRow, 'certificate_sha256' | 'lineage'>): readonly string[] => [
  own,
  ...lineage,
];
/** The same as SQL, of a row. */
export const isSignedAs = (certificate: string, version: string): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${version}.${column}`);
  return sql<boolean>`(${sql.ref(certificate)} = ${of('certificate_sha256')} or ${sql.ref(certificate)} = any(${of('lineage')}))`;
};

/** Whether an installed app is this version: an equal code by another certificate isn't. A terminal that names none is believed. */
export const isOn = (installed: string, { package_name: name, version_code: code, ...signed }: Installable): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${installed}.${column}`);
  return sql<boolean>`(${of('package_name')} = ${name} and ${of('version_code')} = ${code} and (${of('certificate')} is null or ${of('certificate')} = any(${signersOf(signed)}::text[])))`;
};

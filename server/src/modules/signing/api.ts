import { X509Certificate } from 'node:crypto';
import { Issuers } from '@mooring/apk/cms/issuers';
import { leadsTo } from '@mooring/apk/cms/leads-to';
import type { ProfileKind } from '@mooring/contract/signing/profile';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { fingerprintOf } from './certificate.ts';
import { termsOf } from './profile-rows.ts';

export { pem } from '@mooring/apk/cms/der';
export { selfSigned } from './certificate.ts';
export { checkProfilesKept, isInProfile, lockProfilePlaces } from './kept-profiles.ts';

export interface ProductProfile {
  readonly product: string;
  readonly profile: string;
  readonly kind: ProfileKind;
  readonly root: string;
  readonly rootSubject: string;
  /** Null: the certificates of the package aren't known yet. */
  readonly satisfied: boolean | null;
}
export interface OfPackage {
  readonly sha256: string;
  /** DER, the signer's own first. */
  readonly certificates: readonly Buffer[] | null;
}

/** Of the first certificate, which is the signer's. */
function isBy(certificates: OfPackage['certificates'], signer: string): boolean | null {
  const own = certificates?.[0];
  return certificates && own !== undefined && fingerprintOf(own) === signer;
}

/** Two of one organisation, as a merge of two makes them, both count: nobody gets round one by merging. */
const nearest = (
  path: RawBuilder<unknown>,
) => sql`(select o.id from signing_profile o where o.product_ids @> array[p.id] and starts_with(${path}, o.dept_path)
  order by length(o.dept_path) desc fetch first row with ties)`;
/** Those of a product `p` for who releases: that of its owner and that of the organisation at `path`, or the nearest one above each. */
const profilesOfProduct = (path: string) =>
  sql`select s.* from signing_profile s where s.id in (${nearest(sql`p.dept_path`)} union ${nearest(sql`${path}::text`)})`;
/** Jobs `j` that signed these bytes beside them, by what profile `s` asks for now. */
const madeBeside = (sha256: string) =>
  sql`j.profile_id = s.id and j.sha256_before = ${sha256} and j.state = 'signed' and j.profile = 'cms' and j.profile_terms = ${termsOf}`;

export interface BesideFile {
  readonly sha256: string;
  readonly size: number;
}
/**
 * A signature beside these bytes by a profile of each of these products, where there is one: by the profile that is nearest to who releases, the newest.
 * `db` is past the policies.
 */
export async function besideOf(db: Db, productIds: readonly number[], sha256: string, path: string): Promise<Map<number, BesideFile>> {
  const { rows } = await sql<{ product: number } & BesideFile>`
    select distinct on (p.id) p.id as product, b.sha256_after as sha256, b.result_size::int as size
    from product_product p cross join lateral (${profilesOfProduct(path)}) s
      cross join lateral (select j.sha256_after, j.result_size from signing_job j where ${madeBeside(sha256)} and j.keeps_after order by j.signed_at desc, j.id desc limit 1) b
    where p.id = any(${[...productIds]}::bigint[])
    order by p.id, starts_with(${path}::text, s.dept_path) desc, length(s.dept_path) desc, s.id`.execute(db);
  return new Map(rows.map(({ product, ...file }) => [Number(product), file]));
}

/**
 * What profiles ask of a package for each of these products where the organisation at `path` releases it. `db` is past the policies.
 * A signature beside the file counts for as long as the profile asks for what it was made under.
 */
export async function profilesOf(db: Db, productIds: readonly number[], { sha256, certificates }: OfPackage, path: string, now: Date) {
  if (productIds.length === 0) return [];
  const { rows } = await sql<Omit<ProductProfile, 'satisfied'> & { beside: boolean; signer: string }>`
    select p.name as product, s.name as profile, s.kind, s.root, case when s.kind = 'external' then s.signer_subject else s.root_subject end as "rootSubject",
      s.signer_sha256 as signer,
      exists (select from signing_job j where ${madeBeside(sha256)}) as beside
    from product_product p cross join lateral (${profilesOfProduct(path)}) s
    where p.id = any(${[...productIds]}::bigint[]) order by p.name, p.id, length(s.dept_path), s.id`.execute(db);
  const issuers = new Issuers();
  return rows.map(({ beside, signer, ...of }): ProductProfile => {
    if (of.kind === 'none') return { ...of, satisfied: true };
    if (of.kind === 'cms') return { ...of, satisfied: beside };
    if (of.kind === 'external') return { ...of, satisfied: beside || isBy(certificates, signer) };
    return { ...of, satisfied: certificates && leadsTo(certificates, new X509Certificate(of.root), now, issuers) };
  });
}

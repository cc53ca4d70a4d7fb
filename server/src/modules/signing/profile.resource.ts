import { leadsTo, readRoot } from '@mooring/apk/cms/leads-to';
import { Fault } from '@mooring/contract/kit/fault';
import { SigningProfile, signingProfileCalls } from '@mooring/contract/signing/profile';
import { signingJobMachine } from '@mooring/contract/signing/state-machines';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import type { Route } from '../../platform/module.ts';
import { addressFirst } from '../../platform/outbound/address-first.ts';
import { resource } from '../../platform/resource/resource.ts';
import { derOf } from './certificate.ts';
import { heldProfiles } from './held-profile.ts';
import { JOB_GROUP } from './job-rows.ts';
import { keyById } from './key.resource.ts';
import { checkActive, fitsProducts } from './policy.ts';
import { externalColumns } from './signer.ts';
import { subjectOf } from './subject.ts';

const required = (name: string) => new Fault('BAD_INPUT', { fields: { [name]: 'invalid.required' } });
const refused = (name: string, field: string, params: Readonly<Record<string, string>> = {}) =>
  new Fault(name, { fields: { [field]: `fault.${name}` }, params: { ...params } });

/** Of two who save at once the second sees the first. Fault: SIGNING_PROFILE_PRODUCT. */
async function checkProducts(db: Db, path: string, id: number, productIds: readonly number[]): Promise<void> {
  await lockSet(db, `signing profiles ${path}`);
  const { rows } = await sql<{ product: string; profile: string }>`
    select p.name as product, s.name as profile from signing_profile s join product_product p on p.id = any(s.product_ids)
    where s.dept_path = ${path} and s.id <> ${id} and p.id = any(${[...productIds]}::bigint[]) order by p.name limit 1`.execute(db);
  const [taken] = rows;
  if (taken) throw refused('SIGNING_PROFILE_PRODUCT', 'productIds', taken);
}

/** What is kept of a time-stamping service: both or neither. Faults: SIGNING_ROOT_*. */
function stamped(ctx: Ctx, { timeUrl, timeRoot }: { readonly timeUrl: string; readonly timeRoot: string }) {
  if (timeUrl === '' && timeRoot === '') return { time_url: '', time_root: '', time_subject: '' };
  if (timeUrl === '') throw required('timeUrl');
  if (timeRoot === '') throw required('timeRoot');
  const root = readRoot(timeRoot, ctx.now(), 'timeRoot');
  return { time_url: timeUrl, time_root: root.toString(), time_subject: subjectOf(root) };
}

interface Written {
  readonly root: string;
  readonly keyId: number | null;
  readonly productIds: readonly number[];
}
const noRoot = { root: '', root_subject: '', root_sha256: '' };

/** What is kept of a root, and of a key that is below it. Faults: SIGNING_ROOT_*, KEY_NOT_ACTIVE, KEY_PRODUCT, KEY_NOT_BELOW. */
async function certified(ctx: Ctx, db: Db, kind: string, { root: text, keyId, productIds }: Written) {
  const key = keyId === null || kind === 'none' || kind === 'external' ? undefined : await keyById(db, keyId);
  if (key) checkActive(key);
  if (key && !fitsProducts(key.product_ids, productIds)) throw refused('KEY_PRODUCT', 'keyId');
  const key_id = key?.id ?? null;
  if (kind !== 'chain') return { ...noRoot, key_id };
  if (text === '') throw required('root');
  const root = readRoot(text, ctx.now());
  if (key && !leadsTo(derOf(key.chain), root, ctx.now())) throw refused('KEY_NOT_BELOW', 'keyId');
  return {
    root: root.toString(),
    root_subject: subjectOf(root),
    root_sha256: root.fingerprint256.replaceAll(':', '').toLowerCase(),
    key_id,
  };
}

const { states } = signingJobMachine;
const over = Object.keys(states).filter((state) => ['signed', 'failed', 'refused', 'withdrawn', 'expired'].includes(state));
const isOpen = sql<boolean>`exists (select from signing_job j where j.profile_id = t.id and j.state <> all(${over}::text[]))`;

/** Lists of them say whether what they were asked for under is another by now. */
async function toldRequests(ctx: Ctx, db: Db, id: number): Promise<void> {
  const { rows } = await sql<{
    path: string;
  }>`select distinct j.dept_path as path from signing_job j where j.profile_id = ${id} and j.state <> all(${over}::text[])`.execute(db);
  for (const { path } of rows) await ctx.invalidate(db, JOB_GROUP, path);
}

/** Who asked for it, whoever approves it. */
async function authorName(ctx: Ctx, db: Db): Promise<string> {
  if (ctx.approving === undefined) return ctx.actor.userName;
  const row = await db.selectFrom('settings_change_request').select('author_name').where('id', '=', ctx.approving).executeTakeFirst();
  return row?.author_name ?? ctx.actor.userName;
}

const made = resource(SigningProfile, signingProfileCalls, {
  table: 'signing_profile',
  small: true,
  target: (row) => `signing profile ${row.name}`,
  joined: (query) =>
    query
      .leftJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('signing_key as k', 'k.id', 't.key_id')
      .select((eb) => [
        eb.fn.coalesce('o.name', sql<string>`''`).as('dept_name'),
        'k.name as key_name',
        isOpen.as('has_open'),
        sql<unknown>`(select coalesce(json_agg(p.name order by p.name), '[]') from product_product p where p.id = any(t.product_ids))`.as(
          'products',
        ),
      ]),
  // A list of large numbers comes as texts.
  shown: (row) => ({ productIds: row.product_ids.map(Number) }),
  cells: { products: (products) => products.join('; ') },
  refuses: { delete: (row) => 'has_open' in row && row.has_open === true && 'SIGNING_PROFILE_IN_USE' },
  columns: async (ctx, input, { before, path, db }) => {
    await checkProducts(db, path, before?.id ?? 0, input.productIds);
    const made = before ? {} : { created_by: await authorName(ctx, db), created_at: ctx.now() };
    if (before) await toldRequests(ctx, db, before.id);
    const kind = before?.kind ?? input.kind;
    const signer = externalColumns(kind, input.certificates, ctx.now());
    return { ...made, ...stamped(ctx, input), ...signer, ...(await certified(ctx, db, kind, input)) };
  },
});

/** Its address is looked up before anything is written. */
const addressed = (of: typeof made) => addressFirst(of, 'timestamps', [signingProfileCalls.add, signingProfileCalls.update], ['timeUrl']);
/** What is deleted has no address, and is in a transaction all the same. */
const within = (route: Route): Route => ({
  ...route,
  handler: (ctx, input, wire) => ctx.withScope((inner) => route.handler({ ...inner, audit: ctx.audit }, input, wire)),
});
const deletedWithin = (of: typeof made): typeof made => ({
  ...of,
  routes: of.routes.map((route) => (route.call === (signingProfileCalls.delete as unknown) ? within(route) : route)),
});

export const signingProfiles = (app: AppContext): typeof made => heldProfiles(app, made, (of) => deletedWithin(addressed(of)));

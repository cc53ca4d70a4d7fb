import { appCalls } from '@mooring/contract/app/calls';
import { App } from '@mooring/contract/app/schemas';
import type { Exact } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { exact } from '../../platform/db/criteria.ts';
import { resource } from '../../platform/resource/resource.ts';
import { listedStates } from './version-rows.ts';

const newest = (column: string) => sql<never>`n.${sql.ref(column)}`;

/** Apps with the newest of their versions that the reader sees: of one's own whatever it is, of others what is in the catalogue. */
export const apps = resource(App, appCalls, {
  table: 'app_app',
  // Some thousands in the largest installation: an organisation has a few.
  small: true,
  target: (row) => `app ${row.package_name}`,
  joined: (query, { scope, lang }) =>
    query
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('app_version as v')
            .selectAll('v')
            .whereRef('v.app_id', '=', 't.id')
            .where('v.deleted_at', 'is', null)
            .orderBy('v.version_code', 'desc')
            .limit(1)
            .as('n'),
        (join) => join.onTrue(),
      )
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('app_version as v')
            .select(['v.version_name', 'v.version_code', sql<string | null>`v.listing -> ${lang} ->> 'name'`.as('local_name')])
            .whereRef('v.app_id', '=', 't.id')
            .where('v.deleted_at', 'is', null)
            .where('v.publish_state', 'in', listedStates)
            .orderBy('v.version_code', 'desc')
            .limit(1)
            .as('l'),
        (join) => join.onTrue(),
      )
      .where('t.deleted_at', 'is', null)
      .select((eb) => [
        sql<string>`coalesce(app_owner_name(t.id), '')`.as('dept_name'),
        'n.id as version_id',
        sql<string>`coalesce(n.version_name, '')`.as('version_name'),
        sql<number>`coalesce(n.version_code, 0)`.as('version_code'),
        sql<string>`coalesce(n.channel, 'release')`.as('channel'),
        sql<string>`coalesce(n.review_state, '0')`.as('review_state'),
        sql<string>`coalesce(n.publish_state, '0')`.as('publish_state'),
        'l.local_name',
        'l.version_name as listed_name',
        'l.version_code as listed_code',
        sql<boolean>`starts_with(t.dept_path, ${scope.path})`.as('own'),
        sql<boolean>`not starts_with(t.dept_path, ${scope.path}) and not starts_with(${scope.path}, t.dept_path) and not app_blocked(t.id, ${scope.path})`.as(
          'subscribable',
        ),
        sql<boolean>`not starts_with(t.dept_path, ${scope.path}) and not starts_with(${scope.path}, t.dept_path) and app_blocked(t.id, ${scope.path})`.as(
          'blocked',
        ),
        sql<
          string[]
        >`array(select p.name from app_version_product k join product_product p on p.id = k.product_id where k.version_id = n.id order by p.name)`.as(
          'products',
        ),
        eb
          .selectFrom('app_version as v')
          .whereRef('v.app_id', '=', 't.id')
          .where('v.deleted_at', 'is', null)
          .select((of) => of.fn.countAll<number>().as('n'))
          .as('versions'),
      ]),
  // What it is called in the reader's language, where its listed version says so.
  shown: (row) => {
    const { local_name: name } = row as unknown as { readonly local_name: string | null };
    return name ? { name } : {};
  },
  criteria: {
    reviewState: (value: Exact<string>) => exact(newest('review_state'), value),
    channel: (value: Exact<string>) => exact(newest('channel'), value),
    own: (own: boolean, { scope }: Ctx) =>
      own ? exact('t.dept_id', scope.deptId) : sql<boolean>`not starts_with(t.dept_path, ${scope.path})`,
    productId: (value: Exact<number>) =>
      sql<boolean>`exists (select from app_version_product k where k.version_id = n.id and ${exact('k.product_id', value)})`,
  },
});

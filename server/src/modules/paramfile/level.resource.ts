import { ParamLevel, paramLevelCalls, paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { sql } from 'kysely';
import { containsWords } from '../../platform/db/criteria.ts';
import { handlers, type Route } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { behindOf } from './drift.ts';
import { clearLevel, giveLevel } from './give-level.ts';
import type { Sealer } from './levels.ts';
import { previewParams, templatesOf } from './preview-params.ts';
import { readLevel, templatesAt } from './read-level.ts';
import { differenceOf, versionsOf } from './versions.ts';

/** A place by its own name: of an organisation that of the row's owner. */
const place = sql<string>`coalesce(d.sn, s.name, m.name, o.name)`;

/** Rows whose place is named so. Each level is found by the index of its own names: a template may stand at a million terminals. */
const placed = (value: string) => sql<boolean>`t.id in (
  select l.id from paramfile_level l join device d on d.id = l.device_id where ${containsWords(['d.sn'], value)}
  union all select l.id from paramfile_level l join merchant_shop s on s.id = l.shop_id where ${containsWords(['s.name'], value)}
  union all select l.id from paramfile_level l join merchant_merchant m on m.id = l.merchant_id where ${containsWords(['m.name'], value)}
  union all select l.id from paramfile_level l join org_dept o on o.id = l.dept_id where l.level = 'org' and ${containsWords(['o.name'], value)})`;

/** Where values of templates stand. */
export const makeParamLevels = (app: Sealer): Resource<typeof ParamLevel> =>
  resource(ParamLevel, paramLevelCalls, {
    table: 'paramfile_level',
    target: (row) => `parameter values ${row.id}`,
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('merchant_merchant as m', 'm.id', 't.merchant_id')
        .leftJoin('merchant_shop as s', 's.id', 't.shop_id')
        .leftJoin('device as d', 'd.id', 't.device_id')
        .select(['o.name as dept_name', place.as('place')]),
    criteria: { text: placed },
    handlers: { read: readLevel(app), ofPlace: templatesAt, give: giveLevel(app), delete: clearLevel },
  });

export const paramResultRoutes = (app: Sealer): Route[] =>
  handlers(paramResultCalls, {
    preview: previewParams(app),
    ofDevice: templatesOf,
    behind: behindOf,
    versions: versionsOf,
    difference: differenceOf,
  });

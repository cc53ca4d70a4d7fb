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
    criteria: { text: (value: string) => containsWords([place], value) },
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

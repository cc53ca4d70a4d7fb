import { deptCalls } from '@mooring/contract/org/calls';
import { handlers, type Module } from '../../platform/module.ts';
import { managedDepts } from './managed-depts.ts';
import { searchDepts } from './search-depts.ts';
import { seedPlatform } from './seed-platform.ts';

export const org: Module = {
  name: 'org',
  seed: seedPlatform,
  refs: { dept: 'org_dept' },
  routes: handlers(deptCalls, {
    managed: (ctx) => managedDepts(ctx),
    search: (ctx, input) => searchDepts(ctx.db, ctx.scope.path, input.text, input.ids),
  }),
};

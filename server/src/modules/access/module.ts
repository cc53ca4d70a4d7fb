import { menuCalls } from '@mooring/contract/access/calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { isAllowed } from '@mooring/contract/kit/permission';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { addRole, deleteRole, updateRole } from './change-role.ts';
import { nav } from './nav.ts';
import { detailOfRole, grantableMenus, listRoles, pageRoles, previewRole } from './read-roles.ts';
import { roleExporter } from './role-exporter.ts';
import { seedRoles } from './seed-roles.ts';

const roleRoutes = handlers(roleCalls, {
  page: pageRoles,
  export: (ctx, input) => startExport(ctx, roleExporter, input),
  detail: detailOfRole,
  list: listRoles,
  grantable: grantableMenus,
  add: addRole,
  update: updateRole,
  delete: deleteRole,
  preview: previewRole,
});

/** `counted` are the modules that registered a figure beside a menu entry. */
export const makeAccess = (counted: () => readonly Module[]): Module => ({
  name: 'access',
  seed: seedRoles,
  refs: { role: 'access_role' },
  exporters: [roleExporter],
  routes: [
    ...roleRoutes,
    ...handlers(menuCalls, {
      nav: (ctx, input) => nav(ctx, input.menuType),
      counts: async (ctx) => {
        const answer: Record<string, number> = {};
        for (const [code, entry] of counted().flatMap((module) => Object.entries(module.counts ?? {}))) {
          if (isAllowed(ctx.actor.permissions, entry.can)) answer[code] = await entry.count(ctx.db, ctx);
        }
        return answer;
      },
    }),
  ],
});

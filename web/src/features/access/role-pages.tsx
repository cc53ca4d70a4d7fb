import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { allows } from '../../kit/allows.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { t } from '../../ui/words.ts';
import { LeftOut } from './left-out.tsx';
import { MenuTree } from './menu-tree.tsx';
import { RolePanel } from './role-panel.tsx';

const membersOf = (base: string) => base.replace('/role', '/member');

/** The same two screens on both platforms, below an address of their own. */
const listAt = (base: string) =>
  listPage({
    code: 'access.roles',
    title: 'access.title',
    call: roleCalls.page,
    search: { field: 'text', hint: 'access.search' },
    columns: [
      {
        key: 'name',
        title: 'access.name',
        sort: true,
        pinned: 'left',
        width: 240,
        link: (row) => (allows(row, 'update') ? `${base}/${row.id}` : undefined),
      },
      { key: 'type', title: 'access.type', kind: 'name', names: 'access.type.', width: 170 },
      { key: 'platforms', title: 'access.platforms', kind: 'tags', names: 'platform.', width: 160, off: true },
      { key: 'menuCount', title: 'access.menuCount', kind: 'number', width: 100 },
      { key: 'holders', title: 'access.holders', kind: 'number', width: 100 },
      { key: 'seeded', title: 'access.seeded', kind: 'yes', width: 170 },
      { key: 'deptName', title: 'access.dept', width: 180 },
      { key: 'category', title: 'access.category', kind: 'name', names: 'access.category.', width: 200, off: true },
      { key: 'remark', title: 'access.remark', width: 240, off: true },
      { key: 'createdAt', title: 'access.createdAt', kind: 'moment', sort: true, width: 170 },
    ],
    filters: [
      { field: 'type', label: 'access.type', names: 'access.type.' },
      { field: 'category', label: 'access.category', names: 'access.category.' },
    ],
    actions: [{ key: 'add', label: 'access.add', icon: 'add', primary: true, call: roleCalls.add, to: `${base}/new` }],
    rowActions: [
      { key: 'edit', label: 'access.edit', icon: 'edit', allowedAction: 'update', to: (row) => `${base}/${row.id}` },
      { key: 'copy', label: 'access.copy', icon: 'copy', when: () => mayCall(roleCalls.add), to: (row) => `${base}/new?copy=${row.id}` },
      {
        key: 'holders',
        label: 'access.showHolders',
        icon: 'user',
        when: (row) => row.holders > 0 && mayCall(memberCalls.page),
        to: (row) => `${membersOf(base)}?roleId=${row.id}`,
      },
      rowAction(roleCalls.delete, {
        successText: 'done.deleted',
        label: 'access.delete',
        allowedAction: 'delete',
        danger: true,
        confirm: { text: 'access.delete.about' },
      }),
    ],
    export: roleCalls.export,
    nameOf: (row) => row.name,
    empty: { title: 'access.empty', text: 'access.emptyText', icon: 'key' },
    slots: { above: LeftOut, aside: (panel) => <RolePanel {...panel} membersOf={membersOf(base)} /> },
  });

const formAt = (base: string) =>
  formPage({
    title: 'access.add',
    call: roleCalls.add,
    submit: 'access.add',
    successText: 'done.added',
    initial: { type: '2', category: '0', platforms: ['centre', 'manager'], menus: [] },
    edit: {
      title: 'access.edit',
      load: roleCalls.detail,
      call: roleCalls.update,
      successText: 'done.saved',
      allowedAction: 'update',
      values: ({ name, remark, type, category, platforms, menus }) => ({ name, remark, type, category, platforms, menus }),
      copied: ({ name, remark, type, category, platforms, menus }) => ({
        name: t('access.copyName', { name }),
        remark,
        type,
        category,
        platforms,
        menus,
      }),
    },
    sections: [
      {
        fields: [
          { name: 'name', label: 'access.name' },
          { name: 'platforms', label: 'access.platforms', kind: 'multi', names: 'platform.' },
          { name: 'type', label: 'access.type', names: 'access.type.', help: 'access.type.help' },
          {
            name: 'category',
            label: 'access.category',
            names: 'access.category.',
            help: 'access.category.help',
            when: (values) => values.type === '1',
          },
          { name: 'remark', label: 'access.remark', kind: 'area' },
          { name: 'menus', label: 'access.menus', kind: 'custom', wide: true, Control: MenuTree },
        ],
      },
    ],
    done: () => base,
    cancel: base,
  });

export const centreRoles = listAt('/sys/role');
export const managerRoles = listAt('/managerSys/role');
export const centreRole = formAt('/sys/role');
export const managerRole = formAt('/managerSys/role');

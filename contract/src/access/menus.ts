import { appPermissionKind } from '../app-permission/kind.ts';
import { firmwareKind } from '../firmware/kind.ts';
import { moduleKind } from '../module/kind.ts';
import { networkConfigKind } from '../network-config/kind.ts';
import { paramFileKind } from '../paramfile/kind.ts';
import { patchKind } from '../patch/kind.ts';
import {
  approvals,
  both,
  content,
  folder,
  generalReleases,
  type MenuNode,
  memberButtons,
  packages,
  page,
  releases,
  roleButtons,
  stock,
} from './menu-nodes.ts';

export type { MenuNode } from './menu-nodes.ts';

/** The menu tree: the only place where permission strings are born. Each string stands at exactly one node. */
export const menus: readonly MenuNode[] = [
  folder(1, 'overview', both, 'home', [
    page(101, 'welcome', '/welcome', ['centre'], 'home:welcome:page', [], { icon: 'home' }),
    page(102, 'dashboard', '/dashboard', ['manager'], 'home:dashboard:page', ['home:wall:view'], { icon: 'home' }),
  ]),
  folder(2, 'devices', both, 'device', [
    page(
      201,
      'device',
      '/device/device',
      ['centre'],
      'device:device:page',
      [
        'device:device:add',
        'device:device:update',
        'device:device:delete',
        'device:device:move',
        'device:device:export',
        'device:command:send',
        'device:credential:revoke',
        'device:view:share',
      ],
      { icon: 'device' },
    ),
    page(
      420,
      'deviceGroup',
      '/device/deviceGrouping',
      ['centre'],
      'device:group:page',
      ['device:group:add', 'device:group:update', 'device:group:delete'],
      { icon: 'group' },
    ),
    page(
      440,
      'alertPush',
      '/device/alertPush',
      ['centre'],
      'alert:alarm:page',
      ['alert:alarm:handle', 'alert:rule:add', 'alert:rule:update', 'alert:rule:delete', 'alert:receiver:edit'],
      { icon: 'alarm' },
    ),
    page(202, 'regDevice', '/regDevice', ['centre'], 'device:reg:page', ['device:reg:accept', 'device:reg:code', 'device:reg:rule'], {
      icon: 'link',
    }),
    page(
      203,
      'deviceAll',
      '/device/all',
      ['manager'],
      'device:all:page',
      [
        'device:all:add',
        'device:all:update',
        'device:all:delete',
        'device:all:move',
        'device:all:export',
        'device:all:command',
        'device:all:revoke',
        'device:all:share',
      ],
      { icon: 'device' },
    ),
    page(490, 'deviceMap', '/device/amap', both, 'device:map:page', [], { icon: 'map' }),
    page(491, 'deviceActive', '/device/active', both, 'device:active:page', [], { icon: 'play' }),
    page(
      204,
      'product',
      '/device/product',
      ['manager'],
      'product:product:page',
      [
        'product:product:add',
        'product:product:update',
        'product:product:delete',
        'product:product:publish',
        'product:firm:edit',
        'product:industry:edit',
        'product:category:edit',
        'product:model:edit',
        'product:model:publish',
        'product:share',
      ],
      { icon: 'app', platformOnly: true },
    ),
    page(
      405,
      'merchant',
      '/merchant',
      both,
      'merchant:merchant:page',
      [
        'merchant:merchant:add',
        'merchant:merchant:update',
        'merchant:merchant:delete',
        'merchant:merchant:export',
        'merchant:shop:add',
        'merchant:shop:update',
        'merchant:shop:delete',
      ],
      { icon: 'merchant' },
    ),
    page(
      406,
      'maintenance',
      '/maintenance',
      both,
      'merchant:maintenance:page',
      ['merchant:maintenance:add', 'merchant:maintenance:update', 'merchant:maintenance:delete'],
      { icon: 'maintenance' },
    ),
    page(205, 'approveList', '/approveList', ['manager'], 'approval:own:page', ['approval:own:decide'], { icon: 'approval' }),
  ]),
  folder(7, 'stock', ['manager'], 'warehouse', [
    stock(430, 'inventoryStock', '/inventory/device/page', 'stock', ['in', 'out']),
    stock(431, 'inventoryReceipt', '/device/receipt/page', 'receipt', ['accept', 'return']),
    stock(432, 'inventoryDispatch', '/device/dispatch/page', 'dispatch', ['add', 'transfer', 'withdraw', 'delete']),
    stock(433, 'inventorySale', '/device/sales/page', 'sale', ['add', 'update', 'return']),
  ]),
  folder(3, 'upgrade', ['centre'], 'upgrade', [
    releases(301, 'firmwareTask', firmwareKind, 'upgrade'),
    packages(302, 'firmwarePackage', firmwareKind, 'cloud'),
    page(321, 'compliance', '/device/compliance', ['centre'], 'stats:compliance:page', [], { icon: 'share' }),
    releases(303, 'moduleTask', moduleKind, 'module'),
    packages(304, 'modulePackage', moduleKind, 'modulePackage'),
    releases(305, 'patchTask', patchKind, 'patch'),
    packages(306, 'patchPackage', patchKind, 'patchPackage'),
    releases(307, 'appPermission', appPermissionKind, 'lock'),
    releases(308, 'networkConfig', networkConfigKind, 'wifi'),
    generalReleases(340, 'generalTask', 'general'),
    page(
      341,
      'paramTemplate',
      '/pos/paramstemplate',
      ['centre'],
      'paramFile:template:page',
      ['paramFile:template:add', 'paramFile:template:update', 'paramFile:template:delete'],
      { icon: 'template' },
    ),
    releases(309, 'paramFileTask', paramFileKind, 'params'),
    page(310, 'paramFile', '/post/paramfile', ['centre'], 'paramFile:file:page', ['paramFile:file:add', 'paramFile:file:delete'], {
      icon: 'paramFile',
    }),
    content(350, 'advert', '/pos/advert', 'advert'),
    content(351, 'customization', '/pos/customization', 'customization'),
    content(352, 'desktop', '/diyDesktop', 'layout'),
    page(
      320,
      'blackout',
      '/device/blackout',
      ['centre'],
      'release:blackout:page',
      ['release:blackout:add', 'release:blackout:update', 'release:blackout:delete'],
      { icon: 'calendar' },
    ),
    approvals(331, 'approveFirmware', '1', firmwareKind, 'approval'),
    approvals(332, 'approveModule', '2', moduleKind, 'approvalModule'),
    approvals(333, 'approvePatch', '3', patchKind, 'approvalPatch'),
  ]),
  folder(5, 'administration', both, 'user', [
    page(501, 'member', '/sys/member', ['centre'], 'access:member:page', memberButtons('member'), { icon: 'user' }),
    page(
      502,
      'dept',
      '/sys/dept',
      ['centre'],
      'org:dept:page',
      ['org:dept:add', 'org:dept:update', 'org:dept:state', 'org:dept:audit', 'org:dept:move', 'org:trust:give'],
      { icon: 'people' },
    ),
    page(503, 'role', '/sys/role', ['centre'], 'access:role:page', roleButtons('role'), { icon: 'safe' }),
    page(511, 'review', '/sys/review', ['centre'], 'access:review:page', ['access:review:confirm', 'access:review:export'], {
      icon: 'done',
    }),
    page(505, 'managerMember', '/managerSys/member', ['manager'], 'access:managerMember:page', memberButtons('managerMember'), {
      icon: 'user',
    }),
    page(506, 'managerRole', '/managerSys/role', ['manager'], 'access:managerRole:page', roleButtons('managerRole'), { icon: 'safe' }),
    page(
      512,
      'managerReview',
      '/managerSys/review',
      ['manager'],
      'access:managerReview:page',
      ['access:managerReview:confirm', 'access:managerReview:export'],
      { icon: 'done' },
    ),
    page(508, 'businessUnit', '/businessUnit', ['manager'], 'org:unit:page', ['org:unit:add', 'org:unit:update', 'org:unit:state'], {
      icon: 'shop',
      platformOnly: true,
    }),
    page(504, 'log', '/sys/log', ['centre'], 'audit:log:page', [{ code: 'audit:log:verify', platformOnly: true }], { icon: 'file' }),
    page(507, 'managementLog', '/sys/management/log', ['manager'], 'audit:management:page', [], { icon: 'file' }),
    page(509, 'authAudit', '/authAudit', ['manager'], 'account:authAudit:page', ['sys:audit:company:page', 'sys:audit:person:page'], {
      icon: 'check',
      platformOnly: true,
    }),
    page(510, 'userFootprint', '/userFootprint', ['manager'], 'audit:footprint:page', ['audit:footprint:end'], { icon: 'clock' }),
  ]),
  folder(6, 'settings', ['manager'], 'settings', [
    page(
      601,
      'systemSettings',
      '/system/settings',
      ['manager'],
      'settings:system:page',
      [
        'settings:system:update',
        'settings:policy:update',
        'settings:token:page',
        'settings:token:revoke',
        'settings:webhook:page',
        'settings:webhook:update',
      ],
      { icon: 'settings', platformOnly: true },
    ),
    page(602, 'paramsDic', '/paramsDic', ['manager'], 'settings:dict:page', ['settings:dict:update'], {
      icon: 'columns',
      platformOnly: true,
    }),
    page(604, 'scheduledJob', '/sched/job/page', ['manager'], 'job:schedule:page', ['job:schedule:update'], {
      icon: 'schedule',
      platformOnly: true,
    }),
    page(
      605,
      'uploadMonitor',
      '/uploadMonitor',
      ['manager'],
      'file:upload:page',
      ['file:upload:cancel', 'file:upload:delete', 'file:upload:quota'],
      {
        icon: 'storage',
        platformOnly: true,
      },
    ),
    page(603, 'labelManage', '/labelManage', ['manager'], 'language:label:page', ['language:label:update'], {
      icon: 'language',
      platformOnly: true,
    }),
  ]),
  folder(4, 'centre', both, 'tasks', [
    page(401, 'taskExport', '/task/export', ['centre'], 'file:work:page', [], { icon: 'tasks' }),
    page(404, 'managerTaskExport', '/task/export', ['manager'], 'file:managerWork:page', [], { icon: 'tasks' }),
    page(402, 'message', '/message', ['centre'], 'message:message:page', ['message:message:send', 'message:message:third'], {
      icon: 'inbox',
    }),
    page(
      403,
      'managerMessage',
      '/manager/message',
      ['manager'],
      'message:manager:page',
      ['message:manager:send', 'message:manager:third'],
      {
        icon: 'inbox',
      },
    ),
    page(
      460,
      'notice',
      '/notice',
      ['manager'],
      'notice:notice:page',
      ['notice:notice:add', 'notice:notice:update', 'notice:notice:delete', 'notice:notice:publish'],
      { icon: 'notice' },
    ),
  ]),
];

/** Every node, depth first. */
export function eachMenu(nodes: readonly MenuNode[] = menus): MenuNode[] {
  return nodes.flatMap((node) => [node, ...eachMenu(node.children)]);
}

export const allPermissions: readonly string[] = eachMenu().flatMap((node) => node.perms);

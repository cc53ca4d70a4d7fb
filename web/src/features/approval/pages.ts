import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { type RouteSpec, route } from '../../kit/route.ts';
import type { SettingsTab } from '../../kit/settings-tabs.ts';

const list = () => import('./approve-list.page.ts');
const process = () => import('./process.page.tsx').then((found) => found.processPage);

export const approvalTabs: readonly SettingsTab[] = [
  {
    key: 'approval',
    title: 'auditConfig.title',
    group: 'general',
    texts: 'auditConfig.',
    call: auditConfigCalls.page,
    load: () => import('./config-tab.tsx').then((found) => found.ConfigTab),
  },
];

export const approvalRoutes: readonly RouteSpec[] = [
  route({
    path: '/approveTask/1/list',
    platform: 'centre',
    title: 'approval.list.1',
    keepAlive: true,
    load: () => list().then((found) => found.approveList('1')),
  }),
  route({
    path: '/approveTask/2/list',
    platform: 'centre',
    title: 'approval.list.2',
    keepAlive: true,
    load: () => list().then((found) => found.approveList('2')),
  }),
  route({
    path: '/approveTask/3/list',
    platform: 'centre',
    title: 'approval.list.3',
    keepAlive: true,
    load: () => list().then((found) => found.approveList('3')),
  }),
  route({
    path: '/approveTask/:taskType/process/:taskClass/:taskId?/:taskAuditId?',
    platform: 'centre',
    title: 'approval.process',
    activeMenu: '/approveTask/:taskType/list',
    parent: '/approveTask/:taskType/list',
    load: process,
  }),
  route({
    path: '/approveList',
    platform: 'manager',
    title: 'approval.list.own',
    keepAlive: true,
    load: () => list().then((found) => found.ownApprovals),
  }),
  route({
    path: '/approveList/:taskType/process/:taskClass/:taskId?/:taskAuditId?',
    platform: 'manager',
    title: 'approval.process',
    activeMenu: '/approveList',
    parent: '/approveList',
    load: process,
  }),
  route({ path: '/absence', title: 'absence.title', load: () => import('./absence.page.tsx').then((found) => found.absencePage) }),
  route({
    path: '/approveTaskEmail/:taskType/email/:taskClass/:taskId/:taskAuditId/:auditUserId',
    open: true,
    title: 'approval.mail.title',
    load: () => import('./approve-email.page.tsx').then((found) => found.approveEmailPage),
  }),
];

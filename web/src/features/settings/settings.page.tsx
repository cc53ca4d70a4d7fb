import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { type ComponentType, lazy, Suspense, useMemo } from 'react';
import { bindPage } from '../../kit/bind-page.ts';
import { NoAccess } from '../../kit/dead-end.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import type { Page } from '../../kit/route.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import type { SettingsTab } from '../../kit/settings-tabs.ts';
import { goSearch, useView } from '../../kit/view.ts';
import { PageSkeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';

const call = systemSettingCalls.findByCriteria;
const own: readonly SettingsTab[] = [
  { key: 'branding', title: 'settings.tab.branding', call, load: () => import('./branding-tab.tsx').then((found) => found.BrandingTab) },
  { key: 'project', title: 'settings.tab.project', call, load: () => import('./plain-tabs.tsx').then((found) => found.ProjectTab) },
  { key: 'mail', title: 'settings.tab.mail', call, load: () => import('./mail-tab.tsx').then((found) => found.MailTab) },
  { key: 'sms', title: 'settings.tab.sms', call, load: () => import('./plain-tabs.tsx').then((found) => found.SmsTab) },
  {
    key: 'outbox',
    title: 'settings.tab.outbox',
    call: mailCalls.page,
    load: () => import('./outbox-tab.tsx').then((found) => found.OutboxTab),
  },
  { key: 'alarms', title: 'settings.tab.alarms', call, load: () => import('./plain-tabs.tsx').then((found) => found.AlarmsTab) },
  {
    key: 'domains',
    title: 'settings.tab.domains',
    call: downloadDomainCalls.page,
    load: () => import('./domains-tab.tsx').then((found) => found.DomainsTab),
  },
  {
    key: 'webhooks',
    title: 'settings.tab.webhooks',
    call: webhookCalls.page,
    load: () => import('./webhooks-tab.tsx').then((found) => found.WebhooksTab),
  },
  { key: 'sso', title: 'settings.tab.sso', call, load: () => import('./plain-tabs.tsx').then((found) => found.SsoTab) },
  {
    key: 'registration',
    title: 'register.setting',
    call,
    load: () => import('./door-tabs.tsx').then((found) => found.RegistrationTab),
  },
  {
    key: 'real-name',
    title: 'authAudit.setting',
    call,
    load: () => import('./door-tabs.tsx').then((found) => found.UnauthenticatedTab),
  },
  { key: 'storage', title: 'settings.tab.storage', call, load: () => import('./storage-tab.tsx').then((found) => found.StorageTab) },
];

/** The settings of the installation; other domains bring tabs of their own. */
export function settingsPage(others: readonly SettingsTab[]): Page {
  const tabs = [...own, ...others].map((tab) => ({
    ...tab,
    Body: lazy(async () => ({ default: (await tab.load()) as ComponentType })),
  }));
  return bindPage(Settings, { tabs });
}

function Settings({ tabs }: { tabs: readonly (SettingsTab & { Body: ComponentType })[] }) {
  const t = useT();
  const view = useView();
  const now = useSession();
  const shown = useMemo(() => tabs.filter((tab) => mayCall(tab.call, now)), [tabs, now]);
  const active = shown.find((tab) => tab.key === view.search.get('tab')) ?? shown[0];
  /** The product line goes along: whoever sets its policies goes from one to the other. */
  const searchOf = (key: string) => {
    const line = view.search.get('line');
    return new URLSearchParams({ ...(key === shown[0]?.key ? {} : { tab: key }), ...(line ? { line } : {}) });
  };
  if (shown.length === 0) return <NoAccess />;
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('settings.title')} />
      <Tabs
        active={active?.key ?? ''}
        onChange={(key) => goSearch(view, searchOf(key))}
        items={shown.map((tab) => ({
          key: tab.key,
          label: t(tab.title),
          children:
            tab.key === active?.key ? (
              <Suspense fallback={<PageSkeleton />}>
                <tab.Body />
              </Suspense>
            ) : null,
        }))}
      />
    </div>
  );
}

import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { AlarmCharts } from './alarm-charts.tsx';
import { CURRENT, current, history } from './alarm-lists.tsx';
import { receiverForm, receivers } from './receivers.ts';
import { ruleForm, rules } from './rules.tsx';

const tabs = [
  { key: 'current', title: 'alarm.current', Body: () => <ListView spec={current} fixed={CURRENT} queryPrefix="a." /> },
  { key: 'history', title: 'alarm.history', Body: () => <ListView spec={history} queryPrefix="h." /> },
  { key: 'charts', title: 'alarm.charts', Body: AlarmCharts },
  { key: 'rules', title: 'alertRule.title', Body: () => <ListView spec={rules} queryPrefix="r." /> },
  { key: 'receivers', title: 'alarmReceiver.title', Body: () => <ListView spec={receivers} queryPrefix="p." /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'receiver', label: 'alarmReceiver.add', icon: 'add', call: alarmReceiverCalls.add, Dialog: receiverForm.Add },
  { key: 'rule', label: 'alertRule.add', icon: 'add', primary: true, call: alertRuleCalls.add, Dialog: ruleForm.Add },
];

/** What goes on now, what was, and what is watched for whom. */
function Alerts() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('alarm.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <ruleForm.Edit />
      <receiverForm.Edit />
      <Tabs
        active={active.key}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.Body /> : null }))}
      />
    </div>
  );
}

export const alertPage = { View: Alerts, actions };

import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { ListView } from '../../kit/list/list-view.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
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

/** The dialogs of the lists. */
const Above = () => (
  <>
    <ruleForm.Edit />
    <receiverForm.Edit />
  </>
);

/** What goes on now, what was, and what is watched for whom. */
export const alertPage = tabsPage({ title: 'alarm.title', tabs, actions, Above: Above });

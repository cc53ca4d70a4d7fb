import { regCalls } from '@mooring/contract/device/reg-calls';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { DecidePending } from './decide-pending.tsx';
import { MakeCode } from './make-code.tsx';
import { asking, codes, expected } from './reg-lists.tsx';
import { factories, factoryForm, ruleForm, rules } from './trust-lists.ts';

const tabs = [
  { key: 'asking', title: 'reg.asking', List: () => <ListView spec={asking} queryPrefix="a." /> },
  { key: 'expected', title: 'reg.expected', List: () => <ListView spec={expected} queryPrefix="e." /> },
  { key: 'codes', title: 'reg.codes', List: () => <ListView spec={codes} queryPrefix="k." /> },
  { key: 'rules', title: 'reg.rules', List: () => <ListView spec={rules} queryPrefix="r." /> },
  { key: 'factories', title: 'reg.factories', List: () => <ListView spec={factories} queryPrefix="f." /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'factory', label: 'reg.factory.add', icon: 'add', call: regCalls.factoryAdd, Dialog: factoryForm.Add },
  { key: 'rule', label: 'reg.rule.add', icon: 'add', call: regCalls.ruleAdd, Dialog: ruleForm.Add },
  { key: 'code', label: 'reg.code.make', icon: 'key', primary: true, call: regCalls.code, Dialog: MakeCode },
];

/** Five lists about one thing: who may come, who asks, and what lets them in. */
function Registration() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('reg.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <DecidePending />
      <ruleForm.Edit />
      <factoryForm.Edit />
      <Tabs
        active={active.key}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.List /> : null }))}
      />
    </div>
  );
}

export const regPage = { View: Registration, actions };

import { regCalls } from '@mooring/contract/device/reg-calls';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { goSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { AcceptDevices } from './accept-devices.tsx';
import { AddRule } from './add-rule.tsx';
import { MakeCode } from './make-code.tsx';
import { asking, codes, expected, rules } from './reg-lists.tsx';

const tabs = [
  { key: 'asking', title: 'reg.asking', List: () => <ListView spec={asking} mark="a." /> },
  { key: 'expected', title: 'reg.expected', List: () => <ListView spec={expected} mark="e." /> },
  { key: 'codes', title: 'reg.codes', List: () => <ListView spec={codes} mark="k." /> },
  { key: 'rules', title: 'reg.rules', List: () => <ListView spec={rules} mark="r." /> },
] as const;

/** Four lists about one thing: who may come, who asks, and what lets them in. */
function Registration() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('reg.title')}>
        <PageActions
          actions={[
            { key: 'rule', label: 'reg.rule.add', icon: 'add', call: regCalls.ruleAdd, Dialog: AddRule },
            { key: 'code', label: 'reg.code.make', icon: 'key', primary: true, call: regCalls.code, Dialog: MakeCode },
          ]}
        />
      </PageHead>
      <AcceptDevices />
      <Tabs
        active={active.key}
        onChange={(key) => goSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.List /> : null }))}
      />
    </div>
  );
}

export const regPage = { View: Registration };

import { regCalls } from '@mooring/contract/device/reg-calls';
import { ListView } from '../../kit/list/list-view.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { DecidePending } from './decide-pending.tsx';
import { MakeCode } from './make-code.tsx';
import { asking, codes, expected } from './reg-lists.tsx';
import { factories, factoryForm, ruleForm, rules } from './trust-lists.ts';

const tabs = [
  { key: 'asking', title: 'reg.asking', Body: () => <ListView spec={asking} queryPrefix="a." /> },
  { key: 'expected', title: 'reg.expected', Body: () => <ListView spec={expected} queryPrefix="e." /> },
  { key: 'codes', title: 'reg.codes', Body: () => <ListView spec={codes} queryPrefix="k." /> },
  { key: 'rules', title: 'reg.rules', Body: () => <ListView spec={rules} queryPrefix="r." /> },
  { key: 'factories', title: 'reg.factories', Body: () => <ListView spec={factories} queryPrefix="f." /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'factory', label: 'reg.factory.add', icon: 'add', call: regCalls.factoryAdd, Dialog: factoryForm.Add },
  { key: 'rule', label: 'reg.rule.add', icon: 'add', call: regCalls.ruleAdd, Dialog: ruleForm.Add },
  { key: 'code', label: 'reg.code.make', icon: 'key', primary: true, call: regCalls.code, Dialog: MakeCode },
];

/** The dialogs of the lists. */
const Above = () => (
  <>
    <DecidePending />
    <ruleForm.Edit />
    <factoryForm.Edit />
  </>
);

/** Five lists about one thing: who may come, who asks, and what lets them in. */
export const regPage = tabsPage({ title: 'reg.title', tabs, actions, Above: Above });

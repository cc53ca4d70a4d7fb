import { type ConditionKind, conditionOf } from '@mooring/contract/alert/conditions';
import { AlertRule, alertRuleCalls } from '@mooring/contract/alert/rule';
import type { RowOf } from '@mooring/contract/kit/entity';
import { Priority } from '../../kit/alarm-priority.tsx';
import { tryOut } from '../../kit/alarm-tested.ts';
import { useDepts, useGroups, useProducts, useReceivers } from '../../kit/choices.ts';
import type { Values } from '../../kit/form/types.ts';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useFormat } from '../../ui/words.ts';
import { isMuted, later, until } from './muting.ts';
import { ParamsControl } from './params-control.tsx';

type Row = RowOf<typeof AlertRule>;

/** An edited rule has its condition already: it isn't among the fields that change. */
const conditionIn = (values: Values) => (typeof values.kind === 'string' ? conditionOf(values.kind as ConditionKind) : undefined);
const ends = (values: Values) => conditionIn(values)?.ends !== false;
const isOfTerminals = (values: Values) => conditionIn(values)?.of === 'terminal' || conditionIn(values) === undefined;
const scopeIs = (scope: string) => (values: Values) => values.scope === scope;
const isGiven = (name: string) => (values: Values) => values[name] !== null && values[name] !== undefined;

export const ruleForm = formDialogs(AlertRule, alertRuleCalls, {
  fields: [
    'name',
    'deptId',
    { name: 'kind', kind: 'one' },
    'priority',
    { name: 'params', Control: ParamsControl, wide: true, when: (values) => typeof (values as Values).kind === 'string' },
    {
      name: 'scope',
      kind: 'one',
      names: 'alertRule.scope.',
      when: (values) => (conditionIn(values as Values)?.scopes.length ?? 2) > 1,
    },
    { name: 'deptIds', kind: 'multi', useChoices: useDepts, needed: true, when: scopeIs('depts') as never },
    { name: 'groupIds', kind: 'multi', useChoices: useGroups, needed: true, when: scopeIs('groups') as never },
    { name: 'productIds', kind: 'multi', useChoices: useProducts, needed: true, when: scopeIs('products') as never },
    { name: 'forMinutes', when: isOfTerminals as never },
    { name: 'clearMinutes', when: ends as never },
    { name: 'receiverIds', kind: 'multi', useChoices: useReceivers },
    'channels',
    { name: 'tellEnd', kind: 'switch', when: ends as never },
    'repeatHours',
    'escalateMinutes',
    { name: 'escalateIds', kind: 'multi', useChoices: useReceivers, needed: true, when: isGiven('escalateMinutes') as never },
    'quietFrom',
    'quietTo',
    { name: 'quietThrough', kind: 'switch', when: (values) => (values as Values).quietFrom !== '' },
    { name: 'enabled', kind: 'switch' },
  ],
  wide: true,
});

function Muted({ row }: { row: Row }) {
  const format = useFormat();
  return isMuted(row) ? format.moment(String(row.mutedUntil)) : '–';
}

const rowActions: readonly RowAction<Row>[] = [
  { key: 'test', label: 'alertRule.test', icon: 'send', allowedAction: 'test', run: (row) => void tryOut(alertRuleCalls.test, row) },
  rowAction(alertRuleCalls.mute, {
    label: 'alertRule.mute',
    icon: 'pause',
    allowedAction: 'mute',
    when: (row) => !isMuted(row),
    input: () => ({ until: later() }),
    form: until,
    successText: 'alertRule.muted',
  }),
  rowAction(alertRuleCalls.mute, {
    key: 'unmute',
    label: 'alertRule.unmute',
    allowedAction: 'mute',
    when: isMuted,
    input: ({ id }: Row) => ({ id, until: null }),
    successText: 'alertRule.unmuted',
  }),
];

export const rules = listOf(AlertRule, alertRuleCalls, {
  code: 'alert.rules',
  columns: [
    { key: 'name', width: 220, pinned: 'left' },
    { key: 'kind', width: 180 },
    { key: 'priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'deptName', width: 190 },
    { key: 'scope', width: 170 },
    { key: 'enabled', width: 100 },
    { key: 'mutedUntil', width: 170, cell: (row) => <Muted row={row} /> },
    off('createdAt'),
  ],
  Add: ruleForm.Add,
  edit: ruleForm.edit,
  rowActions,
  deleting: { text: 'alertRule.delete.about' },
  emptyText: 'alertRule.emptyText',
});

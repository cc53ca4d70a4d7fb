import { deviceCalls } from '@mooring/contract/device/calls';
import { readCriteria } from '../../../kit/list/list-url.ts';
import { useView } from '../../../kit/view.ts';
import { useFormat } from '../../../ui/words.ts';
import { Add } from './group-form.tsx';

/** What the list is filtered by now, as the rule of a new group. Deleted ones are in none, and a rule asks for no other group. */
export function SaveFilters({ onClose }: { onClose: () => void }) {
  const { search } = useView();
  const { timeZone } = useFormat();
  const {
    deleted: _deleted,
    groupId: _group,
    area: _area,
    cell: _cell,
    placed: _placed,
    ...rule
  } = readCriteria(deviceCalls.page, search, timeZone);
  return <Add onClose={onClose} given={{ kind: 'rule', rule: Object.keys(rule).length > 0 ? rule : null }} />;
}

import { accessModes, eventLevels, type ThingList } from '@mooring/contract/product/thing-model';
import { thingLimits } from '@mooring/contract/product/thing-types';
import { type ReactNode, useState } from 'react';
import { LeaveConfirm } from '../../../kit/form/leave-confirm.tsx';
import { Button } from '../../../ui/button.tsx';
import { RadioGroup, Switch, TextInput } from '../../../ui/controls.tsx';
import { Drawer } from '../../../ui/dialog.tsx';
import { type TextKey, useT } from '../../../ui/words.ts';
import { type Draft, problemsOf, schemas } from './drafts.ts';
import { FieldList, Part, TypeEditor } from './type-editor.tsx';

interface Props {
  readonly list: ThingList;
  readonly start: Draft;
  readonly isNew: boolean;
  /** Identifiers of the others of its list. */
  readonly others: readonly string[];
  readonly onTake: (entry: unknown) => void;
  readonly onClose: () => void;
}

/** A property, service or event of the model, with everything that is nested in it. */
export function EntryDrawer({ list, start, isNew, others, onTake, onClose }: Props) {
  const t = useT();
  const [draft, setDraft] = useState(start);
  const [judged, setJudged] = useState(false);
  const [asking, setAsking] = useState(false);
  const set = (part: Draft) => setDraft((now) => ({ ...now, ...part }));
  const problems = problemsOf(list, draft, others);
  const placed = { at: '', problems, judged };
  const title = t(`model.${isNew ? 'add' : 'edit'}.${list}`);
  const take = () => {
    setJudged(true);
    if (Object.keys(problems).length === 0) onTake(schemas[list].parse(draft));
  };
  const leave = () => (JSON.stringify(draft) === JSON.stringify(start) ? onClose() : setAsking(true));
  const choice = (part: 'access' | 'level', label: TextKey, options: readonly string[], words: (option: string) => string) => (
    <Part {...placed} part={part} label={label} group>
      <RadioGroup
        options={options.map((value) => ({ value, label: words(value) }))}
        value={String(draft[part])}
        onChange={(value) => set({ [part]: value })}
      />
    </Part>
  );
  const fields = (part: 'input' | 'output' | 'params'): ReactNode => (
    <Part {...placed} part={part} label={`model.${part}`} group>
      <FieldList
        {...placed}
        at={part}
        depth={0}
        fields={draft[part] as Draft[]}
        onChange={(next) => set({ [part]: next })}
        add="model.param.add"
        most={thingLimits.params}
      />
    </Part>
  );
  return (
    <Drawer
      open
      title={title}
      onClose={leave}
      width={640}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" onClick={take}>
            {t('model.apply')}
          </Button>
        </>
      }
    >
      <div className="m-stack">
        <Part {...placed} part="id" label="model.id">
          <TextInput value={String(draft.id ?? '')} onChange={(id) => set({ id })} mono autoFocus />
        </Part>
        <Part {...placed} part="name" label="model.name">
          <TextInput value={String(draft.name ?? '')} onChange={(name) => set({ name })} />
        </Part>
        {list === 'properties' ? (
          <>
            {choice('access', 'model.access', accessModes, (one) => t(`model.access.${one as 'rw'}`))}
            <TypeEditor {...placed} at="dataType" depth={0} type={draft.dataType as Draft} onChange={(dataType) => set({ dataType })} />
          </>
        ) : null}
        {list === 'services' ? (
          <>
            <Part {...placed} part="sync" label="model.sync">
              <Switch value={draft.sync === true} onChange={(sync) => set({ sync })} />
            </Part>
            {fields('input')}
            {fields('output')}
          </>
        ) : null}
        {list === 'events' ? (
          <>
            {choice('level', 'model.level', eventLevels, (one) => t(`model.level.${one as 'info'}`))}
            {fields('params')}
          </>
        ) : null}
      </div>
      <LeaveConfirm open={asking} onStay={() => setAsking(false)} onLeave={onClose} />
    </Drawer>
  );
}

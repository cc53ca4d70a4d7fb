import { ParamFileContent, paramSetCalls, paramTaskCalls, paramTaskDeviceCalls } from '@mooring/contract/paramfile/calls';
import { paramFileKind } from '@mooring/contract/paramfile/kind';
import { useState } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { Select } from '../../ui/controls.tsx';

/** The uploads, newest first, and the chosen one; its name goes along for those who look at the release before it is saved. */
function ChooseSet({ value, onChange, onBlur, set, disabled }: ControlPart<number | undefined>) {
  const [text, setText] = useState('');
  const found = useCall(paramSetCalls.page, { criteria: text ? { text } : {}, page: { size: 50 } }, { keep: true });
  const listed = found.data?.content ?? [];
  const isMissing = value !== undefined && found.data !== undefined && !listed.some((one) => one.id === value);
  const own = useCall(paramSetCalls.detail, { id: value ?? 0 }, { enabled: isMissing });
  const all = [...listed, ...(isMissing && own.data ? [own.data] : [])];
  const nothing = <WayToMade madeOn={['paramFile']} />;
  return (
    <>
      <Select
        value={value}
        options={all.map((one) => ({ value: one.id, label: `${one.name} (${one.files})` }))}
        onChange={(id) => {
          onChange(id);
          set('setName', all.find((one) => one.id === id)?.name ?? '');
        }}
        onBlur={onBlur}
        disabled={disabled}
        onSearch={setText}
        busy={found.fetching}
        nothing={nothing}
      />
      {found.data && all.length === 0 && text === '' ? nothing : null}
    </>
  );
}

export const paramFiles: ReleaseKind = {
  of: paramFileKind,
  calls: { tasks: paramTaskCalls, devices: paramTaskDeviceCalls },
  title: 'paramFile.task.title',
  empty: 'paramFile.task.empty',
  emptyText: 'paramFile.task.emptyText',
  content: {
    schema: ParamFileContent,
    downloads: true,
    initial: {},
    from: (search) => (search.get('set') ? { setId: Number(search.get('set')), setName: search.get('name') ?? '' } : {}),
    fields: [{ name: 'setId', label: 'paramFile.task.set', help: 'paramFile.task.setHelp', Control: ChooseSet, wide: true }],
    words: (content) => ParamFileContent.safeParse(content).data?.setName || '–',
  },
};

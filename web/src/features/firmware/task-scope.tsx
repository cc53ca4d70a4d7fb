import { useMemo, useRef, useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { ControlPart, FieldSpec, Values } from '../../kit/form/types.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';
import { useProductOf, useTags, useVersions } from './choices.ts';
import { readSns, scopeOf } from './scope-values.ts';

function SnList({ value, onChange, onBlur }: ControlPart<string[] | undefined>) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  // The text is the person's own until it is left: a line that has just been begun is no serial number yet.
  const [text, setText] = useState(() => (value ?? []).join('\n'));
  const put = (next: string) => {
    setText(next);
    onChange(readSns(next));
  };
  const tidy = () => setText((value ?? []).join('\n'));
  const take = async (file: File | undefined) => {
    if (file) put(readSns(`${text}\n${await file.text()}`).join('\n'));
  };
  return (
    <div className="m-stack-tight">
      <TextArea
        value={text}
        onChange={put}
        onBlur={() => {
          tidy();
          onBlur();
        }}
      />
      <div className="m-row">
        <span className="m-muted m-grow">{t('firmware.task.snsCount', { count: value?.length ?? 0 })}</span>
        <Button small icon="upload" onClick={() => input.current?.click()}>
          {t('firmware.task.snsFile')}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".txt,.csv"
        aria-label={t('firmware.task.snsFile')}
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </div>
  );
}

const is = (scope: string) => (values: Values) => values.releaseScope === scope;
const fieldsOf = (productId: number | undefined): readonly FieldSpec[] => [
  {
    name: 'releaseScope',
    label: 'firmware.task.scope',
    kind: 'radio',
    wide: true,
    choices: [
      { value: '0', label: 'firmware.task.scope.0' },
      { value: '1', label: 'firmware.task.scope.1' },
      { value: '2', label: 'firmware.task.scope.2' },
    ],
  },
  { name: 'deptIds', label: 'firmware.task.depts', kind: 'multi', useChoices: useDepts, when: is('1') },
  { name: 'firmware', label: 'firmware.task.versions', kind: 'multi', useChoices: () => useVersions(productId), when: is('1') },
  { name: 'tags', label: 'firmware.task.tags', kind: 'multi', useChoices: useTags, when: is('1') },
  { name: 'sns', label: 'firmware.task.sns', help: 'firmware.task.snsHelp', Control: SnList, wide: true, when: is('2') },
];
interface ScopeProps {
  packageId: unknown;
  value: Values | undefined;
  onChange: (scope: Values) => void;
}
export function ScopeFields({ packageId, value, onChange }: ScopeProps) {
  const productId = useProductOf(packageId);
  const fields = useMemo(() => fieldsOf(productId), [productId]);
  return <SubForm fields={fields} value={{ releaseScope: '0', ...value }} onChange={(values) => onChange(scopeOf(values))} />;
}
